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
  /** Takes the whole body; a body that fails, or a signal that is aborted, leaves no file behind. Gives the file's name. */
  readonly write: (body: ReadableStream<Uint8Array<ArrayBuffer>>, options: { name: string; signal: AbortSignal }) => Promise<string>;
};

/**
 * Asks where to save, where the browser can write a file while it arrives; elsewhere the browser keeps the body, and
 * hands it over once it is whole. To be called while a click lasts. Null when the reader thought better of it.
 */
export async function chooseFileTarget(suggestedName: string): Promise<FileTarget | null> {
  if (window.showSaveFilePicker === undefined) return browserTarget;
  try {
    return pickedTarget(await window.showSaveFilePicker({ suggestedName }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    // Forbidden by a policy of the browser: the other way still stands open.
    return browserTarget;
  }
}

function pickedTarget(file: FileSystemFileHandle): FileTarget {
  return {
    write: async (body, { signal }) => {
      try {
        // Nothing of it can be seen under its name before the stream is closed, which only a whole body does.
        await body.pipeTo(await file.createWritable(), { signal });
        return file.name;
      } catch (error) {
        await removeEmpty(file);
        throw error;
      }
    },
  };
}

/** Choosing a name makes an empty file, which somebody might take for an empty result. */
async function removeEmpty(file: FileSystemFileHandle): Promise<void> {
  try {
    if ((await file.getFile()).size === 0) await file.remove?.();
  } catch {
    // It has been taken away already.
  }
}

/** So long a browser may take to begin saving before the address of the file is given up, in milliseconds. */
const handOver = 60_000;

const browserTarget: FileTarget = {
  write: async (body, { name, signal }) => {
    // The browser puts a large blob on the disk by itself.
    const blob = await new Response(body.pipeThrough(new TransformStream(), { signal })).blob();
    const url = URL.createObjectURL(blob);
    const link = Object.assign(document.createElement('a'), { href: url, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), handOver);
    return name;
  },
};
