import { Alert, Button } from '@mantine/core';
import {
  logSearchLimits,
  logSearchQuery,
  searchAppLog,
  searchConsoleLog,
  type LogSearchNotice,
  type LogSearchProgress,
} from '@switchyard/contract/log-search';
import { readQuery } from '@switchyard/contract/listing';
import { IconAlertTriangle, IconInbox, IconListSearch } from '@tabler/icons-react';
import { RetryButton } from '../../shared/ui/retry.tsx';
import { byteText } from '../../shared/downloads/download-text.ts';
import { useQueryText } from '../../shared/navigation.tsx';
import { Page } from '../../shared/page/page.tsx';
import { LoadFailure } from '../../shared/ui/load-failure.tsx';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { FoundEntries } from './found-entries.tsx';
import { LogSearchForm } from './log-search-form.tsx';
import classes from './log-search-page.module.css';
import type { LogSource } from './log-source.ts';
import { percentOf, ProgressStrip } from './reading-progress.tsx';
import { useLogSearch, type LogFindings } from './use-log-search.ts';

const searchCalls = { logs: searchConsoleLog, 'app-logs': searchAppLog };

/** The query of the address. No address shows secrets. */
const addressQuery = logSearchQuery.omit({ secrets: true, cursor: true });

/** A search across days whose query is in the address. */
export default function SearchPage({ source }: { source: LogSource }) {
  const text = useQueryText();
  const parsed = addressQuery.safeParse(readQuery(text.slice(1))).data;
  const query = parsed !== undefined && Object.values(parsed).some((value) => value !== undefined) ? parsed : null;
  const { findings, cancel, restart, proceed } = useLogSearch(searchCalls[source.name], query, query === null ? '' : text);
  const problem = findings.failure?.fields['query']?.[0];
  return (
    <Page
      title={source.title}
      titleHref={source.listPath()}
      documentTitle={`Search ${source.title.toLowerCase()}`}
      crumbs={[{ label: 'Search all days' }]}
    >
      <LogSearchForm
        key={source.name}
        address={text}
        source={source}
        query={query}
        problem={problem}
        isRunning={findings.status === 'running'}
        onRepeat={restart}
      />
      {query === null ? (
        <div className={classes['state']}>
          <StatePanel icon={IconListSearch} title="Search all days">
            Entries of all days that match appear here, newest first. Leave the text empty to list entries by level.
          </StatePanel>
        </div>
      ) : (
        problem === undefined && (
          <>
            <SearchStatus findings={findings} onCancel={cancel} onContinue={proceed} onRestart={restart} />
            {findings.notices.map((notice) => (
              <ChangedFile key={`${notice.date} ${notice.source}`} notice={notice} />
            ))}
            {findings.entries.length > 0 ? (
              <FoundEntries source={source} entries={findings.entries} term={query} isRunning={findings.status === 'running'} />
            ) : (
              <NoEntries findings={findings} onRestart={restart} />
            )}
          </>
        )
      )}
    </Page>
  );
}

type StatusProps = { findings: LogFindings; onCancel: () => void; onContinue: () => void; onRestart: () => void };

/** How far the search is, or why it ended, and what can be done. */
function SearchStatus({ findings, onCancel, onContinue, onRestart }: StatusProps) {
  const { status, entries, progress, end } = findings;
  const count = entries.length === 1 ? '1 entry found' : `${groupedNumber(entries.length)} entries found`;
  if (status === 'running')
    return (
      <ProgressStrip
        isCalm
        label="Searching"
        figure={count}
        percent={percentAt(progress)}
        action={<Action label="Cancel" onClick={onCancel} />}
      >
        {progress !== null && progressText(progress)}
      </ProgressStrip>
    );
  if (status === 'cancelled')
    return (
      <ProgressStrip
        isCalm={false}
        label="Cancelled"
        figure={count}
        percent={percentAt(progress)}
        action={<Action label="Search again" onClick={onRestart} />}
      >
        Older entries have not been searched.
      </ProgressStrip>
    );
  if (status === 'failed' && entries.length > 0)
    return (
      <Alert color="danger" variant="light" p="xs" title={`The search stopped: ${failureText(findings)}`}>
        <RetryButton size="xs" isRunning={false} onRetry={onRestart} />
      </Alert>
    );
  if (status !== 'ended' || end === null) return null;
  if (end.reason === 'complete') return <ProgressStrip isCalm label="Search complete" figure={count} percent={null} />;
  const reason =
    end.reason === 'entries'
      ? 'Older entries may match, too.'
      : `Stopped after ${logSearchLimits.seconds} seconds. Older entries have not been searched.`;
  return (
    <ProgressStrip
      isCalm={false}
      label="Search paused"
      figure={count}
      percent={percentAt(progress)}
      action={<Action label="Continue" isMain onClick={onContinue} />}
    >
      {reason}
    </ProgressStrip>
  );
}

function Action({ label, isMain = false, onClick }: { label: string; isMain?: boolean; onClick: () => void }) {
  return (
    <Button size="compact-sm" variant={isMain ? 'filled' : 'default'} onClick={onClick}>
      {label}
    </Button>
  );
}

function percentAt(progress: LogSearchProgress | null): number {
  return progress === null ? 0 : percentOf(progress);
}

function progressText({ date, days, of_days: ofDays, bytes, of, is_indexing: isIndexing }: LogSearchProgress): string {
  const place = `${date} · day ${groupedNumber(Math.min(days + 1, ofDays))} of ${groupedNumber(ofDays)} · ${byteText(bytes)} of ${byteText(of)}`;
  return isIndexing ? `${place} · reading a large file for the first time` : place;
}

const changeTexts = { deleted: 'was deleted', truncated: 'was truncated', replaced: 'was replaced' } as const;

function ChangedFile({ notice: { date, source, change } }: { notice: LogSearchNotice }) {
  return (
    <Alert color="warning" variant="light" p="xs" icon={<IconAlertTriangle size={18} aria-hidden />}>
      The file {source} of {date} {changeTexts[change]} during the search. Its older entries were not searched.
    </Alert>
  );
}

function failureText({ failure }: LogFindings): string {
  return failure === null ? 'the connection was lost' : failure.message;
}

function NoEntries({ findings, onRestart }: { findings: LogFindings; onRestart: () => void }) {
  const { status, end } = findings;
  if (status === 'failed')
    return (
      <div className={classes['state']}>
        <LoadFailure title="The search failed" onRetry={onRestart}>
          {findings.failure === null ? 'The connection was lost.' : findings.failure.message}
        </LoadFailure>
      </div>
    );
  if (end?.reason !== 'complete') return null;
  return (
    <div className={classes['state']}>
      <StatePanel icon={IconInbox} title="No entries match">
        No entry of these days matches. Choose more days, or change the text or the levels.
      </StatePanel>
    </div>
  );
}
