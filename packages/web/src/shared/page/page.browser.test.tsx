import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderPage } from '../../testing/render-pages.tsx';
import { Page } from './page.tsx';

describe('frame of a page', () => {
  it('[SHELL-036, SHELL-037] has a trail whose earlier steps lead back and whose last is the heading', async () => {
    const history = await renderPage(
      <Page title="Apps" titleHref="/before" crumbs={[{ label: 'Archive' }, { label: 'Lucky Bet' }]}>
        content
      </Page>,
      '/page',
    );
    const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
    await expect.element(trail.getByRole('heading', { level: 1, name: 'Lucky Bet' })).toHaveAttribute('aria-current', 'page');
    expect(
      trail
        .getByRole('listitem')
        .elements()
        .map((step) => step.textContent),
    ).toEqual(['Apps', 'Archive', 'Lucky Bet']);
    expect(trail.getByRole('link').elements()).toHaveLength(1);
    await trail.getByRole('link', { name: 'Apps' }).click();
    await expect.poll(() => history.location.pathname).toBe('/before');
  });

  it("[SHELL-039] is covered with 'Loading...' while it must not be touched", async () => {
    await renderPage(
      <Page title="Apps" isBlocked>
        content
      </Page>,
      '/page',
    );
    await expect.element(page.getByRole('status')).toHaveTextContent('Loading...');
  });
});
