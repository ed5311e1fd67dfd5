import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';

it('[S22] marks what does not show in the values of a conflict, and says which are empty', async () => {
  await renderWidget(
    <ConflictDialog
      isOpen
      noun="app"
      rows={[{ label: 'Name', before: 'pay\u202Egpj', theirs: 'a\u200Bb', mine: '' }]}
      onlyMine={[]}
      isSaving={false}
      onKeepEditing={() => undefined}
      onLoadTheirs={() => undefined}
      onSaveMine={() => undefined}
    />,
  );
  const table = page.getByRole('table', { name: 'Changed meanwhile' });
  await expect.element(table.getByTitle('U+202E right-to-left override')).toBeInTheDocument();
  await expect.element(table.getByTitle('U+200B zero-width space')).toBeInTheDocument();
  await expect.element(table.getByText('empty')).toBeVisible();
});
