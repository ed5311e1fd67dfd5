import { Button } from '@mantine/core';
import { sendSchedule, type Schedule } from '@switchyard/contract/schedules';
import { IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { Writes } from '../../shared/ui/read-only.tsx';
import { refreshSchedules } from './schedule-form.ts';

/** Mails a schedule, as it is stored, to its owner. */
export function SendNow({ schedule: { id } }: { schedule: Pick<Schedule, 'id'> }) {
  const [isRunning, setIsRunning] = useState(false);
  const send = async (): Promise<void> => {
    setIsRunning(true);
    try {
      await call(sendSchedule, { params: { id } });
      notify({ type: 'success', message: 'The report is on its way to you' });
      await refreshSchedules();
    } catch (error) {
      // The error policy has shown it.
      if (!(error instanceof CallError)) throw error;
    } finally {
      setIsRunning(false);
    }
  };
  return (
    <Writes>
      <Button
        size="compact-md"
        variant="default"
        loading={isRunning}
        leftSection={<IconMail size={16} aria-hidden />}
        onClick={() => void send()}
      >
        Send to me now
      </Button>
    </Writes>
  );
}
