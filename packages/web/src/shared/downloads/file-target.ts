declare global {
  interface Window {
    /** Offered by Chromium on secure pages only; asks the reader where a file goes. */
    showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
  }
  interface FileSystemFileHandle {
    /** Offered by Chromium. */
    remove?: () => Promise<void>;
  }
}

/** Where a download goes. */
export type FileTarget = {
  /** Writes the whole body and resolves with the file's name. A failed body or an aborted signal leaves no file. */
  readonly write: (body: ReadableStream<Uint8Array<ArrayBuffer>>, options: { name: string; signal: AbortSignal }) => Promise<string>;
};

/**
 * Asks where to save if the browser can write a file while it arrives; otherwise the browser buffers the body and saves it
 * when it is complete. Has to be called during a click. Null when the reader cancels.
 */
export async function chooseFileTarget(suggestedName: string): Promise<FileTarget | null> {
  if (window.showSaveFilePicker === undefined) return browserTarget;
  try {
    return pickedTarget(await window.showSaveFilePicker({ suggestedName }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    // A policy of the browser forbids it; the buffered way still works.
    return browserTarget;
  }
}

function pickedTarget(file: FileSystemFileHandle): FileTarget {
  return {
    write: async (body, { signal }) => {
      try {
        // The file appears under its name only when the stream is closed, after the whole body.
        await body.pipeTo(await file.createWritable(), { signal });
        return file.name;
      } catch (error) {
        await removeEmpty(file);
        throw error;
      }
    },
  };
}

/** Choosing a name creates an empty file, which could be mistaken for an empty result. */
async function removeEmpty(file: FileSystemFileHandle): Promise<void> {
  try {
    if ((await file.getFile()).size === 0) await file.remove?.();
  } catch {
    // It has already been removed.
  }
}

/** Milliseconds after which the URL of a buffered file is revoked; by then the browser has started to save it. */
const revokeAfter = 60_000;

const browserTarget: FileTarget = {
  write: async (body, { name, signal }) => {
    // Browsers keep a large blob on disk.
    const blob = await new Response(body.pipeThrough(new TransformStream(), { signal })).blob();
    const url = URL.createObjectURL(blob);
    const link = Object.assign(document.createElement('a'), { href: url, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), revokeAfter);
    return name;
  },
};
