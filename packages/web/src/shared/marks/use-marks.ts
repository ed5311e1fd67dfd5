import { formatDateTime } from '@switchyard/contract/dates';
import { listMarks, type Mark } from '@switchyard/contract/marks';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { call, inBackground } from '../api/call.ts';
import { createStore, useStore } from '../external-store.ts';
import { listKey } from '../listing/list-key.ts';
import { localSettings } from '../local-settings.ts';
import type { TimeAxis } from './place-marks.ts';

const setting = localSettings.json('chart_marks', z.boolean());
const shownStore = createStore(setting.get() ?? true);

/** Whether charts show marks, remembered on this device, and a function that changes it. */
export function useMarksShown(): [isShown: boolean, set: (isShown: boolean) => void] {
  return [
    useStore(shownStore),
    (isShown) => {
      setting.set(isShown);
      shownStore.set(isShown);
    },
  ];
}

/** The apps and servers that a chart is about; undefined: all of them. */
export type MarkSubjects = { appIds?: readonly number[] | undefined; serverIds?: readonly number[] | undefined };

/** The marks of a chart. They load beside it, without the progress bar; a chart without marks is complete. */
export type ChartMarks = { marks: readonly Mark[]; isLoading: boolean; isFailed: boolean; reload: () => void };

const none: readonly Mark[] = [];
const second = 1_000_000;

/** Loads the marks in the time of a chart. While marks are off, nothing is loaded. */
export function useChartMarks({ starts, until }: TimeAxis, { appIds, serverIds }: MarkSubjects): ChartMarks {
  const [isShown] = useMarksShown();
  const [from = 0] = starts;
  const query = {
    startDate: formatDateTime(from),
    endDate: formatDateTime(until - second),
    ...(appIds !== undefined && { appId: [...appIds] }),
    ...(serverIds !== undefined && { serverId: [...serverIds] }),
  };
  const subjectText = JSON.stringify([appIds, serverIds]);
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: [...listKey('marks'), query, subjectText],
    queryFn: ({ signal }) => call(listMarks, { query, signal, ...inBackground }),
    enabled: isShown && starts.length > 0,
    retry: false,
    // The menu and the chart mount one after the other.
    staleTime: 30_000,
    // Those of other apps would be wrong.
    placeholderData: (before, earlier) => (earlier?.queryKey.at(-1) === subjectText ? before : undefined),
  });
  return { marks: isShown ? (data?.data ?? none) : none, isLoading: isFetching, isFailed: isError, reload: () => void refetch() };
}
