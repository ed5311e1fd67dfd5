import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { importResults, type ImportLine, type ImportResult } from '@switchyard/contract/black-list-import';
import { useState } from 'react';
import { Writes } from '../../shared/ui/read-only.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { type ImportCheck, withPart } from './import-model.ts';
import classes from './import-preview.module.css';

const resultNames: Readonly<Record<ImportResult, string>> = {
  added: 'New',
  existing: 'On the list',
  covered: 'Covered',
  invalid: 'Invalid',
  protected: 'Protected',
  skipped: 'Skipped',
};

/** Lines on a page. */
const pageSize = 20;

/** Other texts of lines, by their numbers. */
type Corrections = ReadonlyMap<number, string>;

type Props = {
  check: ImportCheck;
  /** The list that was checked. */
  text: string;
  isBusy: boolean;
  onBack: (corrections: Corrections) => void;
  /** Checks the list again with other texts on some lines. Resolves to whether it has been checked. */
  onCorrect: (corrections: Corrections) => Promise<boolean>;
  onImport: () => void;
};

/** The result of each line of a list; invalid lines can be corrected. */
export function ImportPreview({ check: { lines, counts }, text, isBusy, onBack, onCorrect, onImport }: Props) {
  const presentResults = importResults.filter((result) => counts[result] > 0);
  const [chosenResult, setResult] = useState<ImportResult>(counts.invalid > 0 ? 'invalid' : 'added');
  const result = presentResults.includes(chosenResult) ? chosenResult : (presentResults[0] ?? 'added');
  const [page, setPage] = useState(1);
  const [corrections, setCorrections] = useState<Corrections>(new Map());
  const ofResult = lines.filter((line) => line.result === result);
  const texts = counts.invalid > 0 ? text.split('\n') : [];
  const changes = counts.added + counts.extended;
  const correct = ({ line, lines: count = 1 }: ImportLine, corrected: string): void => {
    const next = new Map(corrections).set(line, corrected);
    // The row had its further lines in a cell.
    for (let further = 1; further < count; further += 1) next.set(line + further, '');
    setCorrections(next);
  };
  const writtenAt = ({ line, lines: count = 1, text: shown }: ImportLine): string =>
    texts.length === 0
      ? shown
      : texts
          .slice(line - 1, line - 1 + count)
          .join(' ')
          .trim();
  const checkCorrected = async (): Promise<void> => {
    // Those that were typed during the check, or whose check failed, are still to be checked.
    if (await onCorrect(corrections))
      setCorrections((latest) => new Map([...latest].filter(([line, corrected]) => corrections.get(line) !== corrected)));
  };
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        aria-label="Result"
        value={result}
        onChange={(value) => {
          setResult(importResults.find((known) => known === value) ?? 'added');
          setPage(1);
        }}
        data={presentResults.map((name) => ({ value: name, label: `${resultNames[name]} ${groupedNumber(counts[name])}` }))}
      />
      <ul className={classes['lines']} aria-label={`Lines: ${resultNames[result]}`}>
        {ofResult.slice((page - 1) * pageSize, page * pageSize).map((line) => (
          <li key={`${line.line} ${line.entry ?? ''}`} className={classes['line']}>
            <span className={classes['number']}>{line.line}</span>
            {line.result === 'invalid' ? (
              <InvalidLine
                line={line}
                written={corrections.get(line.line) ?? writtenAt(line)}
                onChange={(corrected) => correct(line, corrected)}
              />
            ) : (
              <span className={classes['text']}>
                <VisibleText text={line.entry ?? line.text} />
                {line.message !== null && <span className={classes['message']}>{line.message}</span>}
              </span>
            )}
          </li>
        ))}
      </ul>
      {ofResult.length > pageSize && (
        <Group gap="xs" justify="space-between">
          <Text size="xs" c="dimmed" className="tabular">
            {groupedNumber((page - 1) * pageSize + 1)}–{groupedNumber(Math.min(page * pageSize, ofResult.length))} of{' '}
            {groupedNumber(ofResult.length)}
          </Text>
          <Group gap="xs">
            <Button size="compact-xs" variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
              Previous lines
            </Button>
            <Button size="compact-xs" variant="default" disabled={page * pageSize >= ofResult.length} onClick={() => setPage(page + 1)}>
              Next lines
            </Button>
          </Group>
        </Group>
      )}
      {counts.covered > 0 && (
        <Text size="xs" c="dimmed">
          Covered entries are not added. Traffic servers that do not request networks will not block them.
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => onBack(corrections)} disabled={isBusy}>
          Back
        </Button>
        {corrections.size > 0 ? (
          <Button disabled={isBusy} onClick={() => void checkCorrected()}>
            Check corrected lines
          </Button>
        ) : (
          <Writes>
            <Button disabled={isBusy || changes === 0} onClick={onImport}>
              {changes === 0 ? 'Nothing to import' : `Import ${groupedNumber(changes)} ${changes === 1 ? 'entry' : 'entries'}`}
            </Button>
          </Writes>
        )}
      </Group>
    </Stack>
  );
}

/** A line that is no entry, with what was probably meant. */
function InvalidLine({ line, written, onChange }: { line: ImportLine; written: string; onChange: (text: string) => void }) {
  const { suggestion, part } = line;
  const suggested = suggestion === null ? written : part === undefined ? suggestion : withPart(written, part, suggestion);
  return (
    <span className={classes['text']}>
      <Group gap="xs">
        <TextInput
          size="xs"
          aria-label={`Line ${line.line}`}
          spellCheck={false}
          value={written}
          onChange={(event) => onChange(event.currentTarget.value)}
          style={{ flex: '1 1 180px' }}
        />
        {written !== suggested && (
          <Button size="compact-xs" variant="default" onClick={() => onChange(suggested)}>
            Use {suggestion}
          </Button>
        )}
      </Group>
      <span className={classes['message']}>
        <VisibleText text={line.message ?? ''} />
      </span>
    </span>
  );
}
