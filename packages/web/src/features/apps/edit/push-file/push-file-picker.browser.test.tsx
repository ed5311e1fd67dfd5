import { cannotSend } from '@switchyard/contract/app-push-file';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ConfirmHost } from '../../../../shared/ui/confirm.tsx';
import { renderWidget } from '../../../../testing/render-widget.tsx';
import { PushFilePicker } from './push-file-picker.tsx';

afterEach(() => vi.restoreAllMocks());

function fileInput(): HTMLElement {
  const input = document.querySelector<HTMLElement>('input[type="file"]');
  if (input === null) throw new Error('There is no place for a file');
  return input;
}

const jsonFile = (name: string, text: string): File => new File([text], name, { type: 'application/json' });

describe('the picker of a push file', () => {
  it('[PUSHF-006] validates the file chosen last, however long reading the one before takes', async () => {
    await renderWidget(<PushFilePicker appId={1} field={null} onSaved={() => undefined} onCancel={null} />);
    const fileRead = Promise.withResolvers<ArrayBuffer>();
    const reading = vi.spyOn(File.prototype, 'arrayBuffer').mockReturnValueOnce(fileRead.promise);
    await userEvent.upload(fileInput(), jsonFile('slow.json', '{}'));
    await expect.poll(() => reading.mock.calls.length).toBe(1);
    await userEvent.upload(fileInput(), jsonFile('list.json', '[1]'));
    const refusal = page.getByText('The file must contain a JSON object.');
    await expect.element(refusal).toBeVisible();
    const { buffer } = new TextEncoder().encode('{"type":"service_account"}');
    fileRead.resolve(buffer);
    await new Promise((resolve) => {
      requestAnimationFrame(resolve);
    });
    await expect.element(refusal).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Save file' })).toBeDisabled();
  });

  it('[SHELL-077] says why a file could not be saved, and keeps it', async () => {
    vi.spyOn(XMLHttpRequest.prototype, 'open').mockImplementation(function open(this: XMLHttpRequest) {
      Object.defineProperties(this, { status: { value: 403 }, responseText: { value: '{"success":false,"message":"Not you"}' } });
    });
    vi.spyOn(XMLHttpRequest.prototype, 'setRequestHeader').mockReturnValue();
    vi.spyOn(XMLHttpRequest.prototype, 'getAllResponseHeaders').mockReturnValue('content-type: application/json');
    vi.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(function send(this: XMLHttpRequest) {
      this.dispatchEvent(new ProgressEvent('load'));
    });
    await renderWidget(
      <>
        <PushFilePicker appId={1} field={null} onSaved={() => undefined} onCancel={null} />
        <ConfirmHost />
      </>,
    );
    await userEvent.upload(fileInput(), jsonFile('acme.json', '{"type":"service_account"}'));
    await page.getByRole('button', { name: 'Save file' }).click();
    await page.getByRole('button', { name: 'OK' }).click();
    await expect.element(page.getByRole('alert')).toHaveTextContent('Not you');
    await expect.element(page.getByText('acme.json')).toBeVisible();
  });

  it('[PUSHF-012] names what the file is, and says if it cannot send pushes', async () => {
    await renderWidget(<PushFilePicker appId={1} field={null} onSaved={() => undefined} onCancel={null} />);
    const information = { project_info: { project_id: 'field-sample' }, client: [] };
    await userEvent.upload(fileInput(), jsonFile('google-services.json', JSON.stringify(information)));
    await expect.element(page.getByText('google-services.json of an app, project field-sample')).toBeVisible();
    await expect.element(page.getByText(cannotSend)).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Save file' })).toBeEnabled();
    const account = { type: 'service_account', project_id: 'acme', client_email: 'push@acme.example', private_key: 'key' };
    await userEvent.upload(fileInput(), jsonFile('acme.json', JSON.stringify(account)));
    await expect.element(page.getByText('Service account of the project acme')).toBeVisible();
    await expect.element(page.getByText(cannotSend)).not.toBeInTheDocument();
  });
});
