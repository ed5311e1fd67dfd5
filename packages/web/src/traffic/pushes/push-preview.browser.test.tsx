import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { PushImage } from './push-preview.tsx';
import { PushPreview } from './push-preview.tsx';

const message = (image?: string) => JSON.stringify({ notification: { title: 'Glad you are here', body: 'Your bonus', image } });
const placeholder = page.getByRole('img', { name: 'Placeholder' });
const preview = page.getByRole('img', { name: 'Preview' });

describe('preview of a push', () => {
  it('[PUSH-008, PUSH-010, CONST-046] asks for its picture late, without saying where from, and shows it 50 px wide', async () => {
    // Nothing listens there: the test covers only the request for the picture. It may fail before the test sees it.
    const drawnImages: HTMLImageElement[] = [];
    const watch = new MutationObserver(() => drawnImages.push(...document.querySelectorAll('img')));
    watch.observe(document.body, { childList: true, subtree: true });
    await renderWidget(<PushImage address="https://127.0.0.1:9/a.png" />);
    watch.disconnect();
    const attributes = ['src', 'alt', 'loading', 'referrerpolicy', 'width'].map((name) => drawnImages[0]?.getAttribute(name));
    expect(attributes).toEqual(['https://127.0.0.1:9/a.png', 'Preview', 'lazy', 'no-referrer', '50']);
    await expect.element(placeholder).toHaveAttribute('title', 'The picture cannot be loaded');
  });

  it.each([undefined, '', 'http://cdn.example/a.png', 'javascript:alert(1)', 'data:image/gif;base64,R0lGODlhAQABAAAAACw='])(
    '[PUSH-009, PUSH-010] shows a placeholder of the same width for the image %s',
    async (image) => {
      await renderWidget(<PushPreview message={message(image)} />);
      await expect.element(placeholder).toHaveAttribute('title', 'No picture');
      expect(placeholder.element().getBoundingClientRect().width).toBe(50);
      expect(preview.elements()).toHaveLength(0);
    },
  );

  it('[PUSH-008, AMB-152] shows title and body, and text that is no notification as it came', async () => {
    await renderWidget(
      <>
        <PushPreview message={message()} />
        <PushPreview message={'<img src="https://cdn.example/x.png" onerror="alert(1)">'} />
      </>,
    );
    await expect.element(page.getByText('Glad you are here')).toBeVisible();
    await expect.element(page.getByText('Your bonus')).toBeVisible();
    await expect.element(page.getByText('<img src="https://cdn.example/x.png" onerror="alert(1)">')).toBeVisible();
    expect(page.getByRole('img').elements()).toHaveLength(2);
  });
});
