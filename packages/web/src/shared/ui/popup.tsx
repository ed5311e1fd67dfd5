import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';

type PopupProps = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Each way of closing can be switched off (WID-031 to WID-033). */
  closeOnEscape?: boolean;
  closeOnBackdrop?: boolean;
  hasCloseIcon?: boolean;
  width?: number;
  /** Called once it has faded out. */
  onClosed?: () => void;
};

/** A popup over the page; focus stays inside and returns to where it was. */
export function Popup({
  isOpen,
  onClose,
  title,
  children,
  closeOnEscape = true,
  closeOnBackdrop = true,
  hasCloseIcon = true,
  width = 440,
  onClosed,
}: PopupProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={width}
      closeOnEscape={closeOnEscape}
      closeOnClickOutside={closeOnBackdrop}
      withCloseButton={hasCloseIcon}
      transitionProps={{ duration: 140 }}
      {...(onClosed === undefined ? {} : { onExitTransitionEnd: onClosed })}
      overlayProps={{ color: 'var(--sy-backdrop)', backgroundOpacity: 1 }}
    >
      {children}
    </Modal>
  );
}
