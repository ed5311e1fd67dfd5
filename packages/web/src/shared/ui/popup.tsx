import { Modal } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { VisibleText } from './visible-text.tsx';

type PopupProps = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Each way of closing can be switched off. */
  closeOnEscape?: boolean;
  closeOnBackdrop?: boolean;
  hasCloseIcon?: boolean;
  width?: number;
  /** A prompt, which is shown over the dialog that opens it. */
  isPrompt?: boolean;
  /** Lists that open in a short dialog reach over its edge instead of being cut. */
  showsOverflow?: boolean;
  /** Stands over other dialogs and prompts. */
  isOnTop?: boolean;
  /** Called after the fade-out. */
  onClosed?: () => void;
};

/** A dialog over the page. It traps the focus and returns it when it closes. While it is closed, nothing renders it again. */
export const Popup = memo(ShownPopup, (before, after) => !before.isOpen && !after.isOpen);

function ShownPopup({
  isOpen,
  onClose,
  title,
  children,
  closeOnEscape = true,
  closeOnBackdrop = true,
  hasCloseIcon = true,
  width = 440,
  isPrompt = false,
  showsOverflow = false,
  isOnTop = false,
  onClosed,
}: PopupProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={<VisibleText text={title} />}
      size={width}
      {...(isOnTop ? { zIndex: 300 } : isPrompt ? { zIndex: 250 } : {})}
      closeOnEscape={closeOnEscape}
      closeOnClickOutside={closeOnBackdrop}
      withCloseButton={hasCloseIcon}
      {...(showsOverflow && { styles: { content: { overflow: 'visible' } } })}
      transitionProps={{ duration: 140 }}
      {...(onClosed === undefined ? {} : { onExitTransitionEnd: onClosed })}
      overlayProps={{ color: 'var(--sy-backdrop)', backgroundOpacity: 1 }}
    >
      {children}
    </Modal>
  );
}
