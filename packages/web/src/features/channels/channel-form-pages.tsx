import { Button, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { alertSeverities } from '@switchyard/contract/alerts';
import { channelLimits, digestMinutes, rotateChannelSecret, targetKinds, type Channel } from '@switchyard/contract/channels';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { severityNames } from '../../shared/alerts/alert-words.ts';
import { useMayChangeAlerts } from '../../shared/alerts/may-change-alerts.ts';
import { call } from '../../shared/api/call.ts';
import { AmountField, NumberField, SegmentField, SwitchField, textControl } from '../../shared/entities/entity-fields.tsx';
import { CreatePage, EditForm, type FormFields } from '../../shared/entities/entity-form.tsx';
import { NameField } from '../../shared/form/save-bar-form.tsx';
import { LoadedEntity } from '../../shared/form/entity-page.tsx';
import { FormSection } from '../../shared/form/form-section.tsx';
import { AppLink, useOpenPath } from '../../shared/navigation.tsx';
import { RouteTabs } from '../../shared/page/route-tabs.tsx';
import { paths } from '../../shared/paths.ts';
import { askConfirm } from '../../shared/ui/confirm.tsx';
import { Writes } from '../../shared/ui/read-only.tsx';
import { ChannelMessages } from './channel-messages.tsx';
import { allAppsOnly, channelForm, channelKindNames, channelTabs, isTargetChanged, type ChannelValues } from './channel-model.ts';
import { SecretDialog } from './channel-secret.tsx';
import { SendTest } from './send-test.tsx';

const kinds = targetKinds.map((kind) => ({ value: kind, label: channelKindNames[kind] }));
const severities = alertSeverities.toReversed().map((name) => ({ value: name, label: severityNames[name] }));
const digests = digestMinutes.map((minutes) => ({ value: minutes, label: minutes === 0 ? 'Off' : `${minutes} min` }));

/** Creates a channel, shows the signing secret of a webhook, and opens the channel's page. */
export function CreateChannelPage() {
  const openPath = useOpenPath();
  const [created, setCreated] = useState<{ id: number; secret: string } | null>(null);
  const openChannel = (id: number): void => openPath(paths.channelEdit(id), { replace: true });
  return (
    <>
      <CreatePage
        form={channelForm}
        denied={useMayChangeAlerts() ? null : allAppsOnly}
        onSaved={({ id, signing_secret: secret }) => {
          // The page of a new webhook waits for its secret to be stored.
          if (typeof secret === 'string') setCreated({ id, secret });
          else openChannel(id);
        }}
      >
        {(form) => <Fields {...form} />}
      </CreatePage>
      <SecretDialog secret={created?.secret ?? null} isRotated={false} onClose={() => created !== null && openChannel(created.id)} />
    </>
  );
}

/** A channel: its settings, and the messages that it sent. */
export function EditChannelPage() {
  const mayChange = useMayChangeAlerts();
  const { noun, list, query } = channelForm;
  return (
    <LoadedEntity noun={noun} {...list} query={query} renderActions={(channel) => <Actions channel={channel} />}>
      {(channel) => (
        <RouteTabs names={Object.values(channelTabs)} label="Channel">
          {(name) =>
            name === channelTabs.messages ? (
              <ChannelMessages channel={channel} />
            ) : (
              <EditForm form={channelForm} entity={channel} maySave={mayChange}>
                {(form) => <Fields {...form} />}
              </EditForm>
            )
          }
        </RouteTabs>
      )}
    </LoadedEntity>
  );
}

function Actions({ channel }: { channel: Channel }) {
  const [secret, setSecret] = useState<string | null>(null);
  if (!useMayChangeAlerts()) return null;
  const rotate = (): void => {
    askConfirm({
      title: 'Replace the signing secret?',
      lines: [`Channel "${channel.name}"`, `Messages carry both signatures for ${channelLimits.oldSecretHours} hours.`],
      action: async () => {
        const { data } = await call(rotateChannelSecret, { params: { id: channel.id } });
        channelForm.cache(data.channel);
        setSecret(data.signing_secret);
      },
    });
  };
  return (
    <>
      {channel.kind === 'webhook' && (
        <Writes>
          <Button size="compact-md" variant="default" leftSection={<IconKey size={16} aria-hidden />} onClick={rotate}>
            New secret
          </Button>
        </Writes>
      )}
      <SendTest channel={channel} />
      <SecretDialog secret={secret} isRotated onClose={() => setSecret(null)} />
    </>
  );
}

type Form = FormFields<Channel, ChannelValues>;

function Fields(form: Form) {
  const { entity: channel, values, field } = form;
  const isLocked = !useMayChangeAlerts();
  return (
    <>
      <FormSection title="Channel" summary={isLocked ? allAppsOnly : 'Name and destination.'} isLocked={isLocked}>
        <NameField maxLength={channelLimits.nameCharacters} {...field('name')} />
        {channel === undefined ? (
          <SegmentField options={kinds} {...field('kind')} />
        ) : (
          <TextInput label="Kind" readOnly data-locked value={channelKindNames[values.kind]} />
        )}
        <TargetFields {...form} />
      </FormSection>
      <FormSection
        title="Messages"
        summary="Which messages it sends, and how it combines them. Critical ones do not wait."
        isLocked={isLocked}
      >
        <SwitchField
          description="While it is off, nothing is sent. Messages that are already waiting are sent when it is switched on again; events in between are not announced."
          disabled={isLocked}
          {...field('is_on')}
        />
        <SegmentField
          description="Less severe messages are not sent."
          disabled={isLocked}
          options={severities}
          {...field('minimum_severity')}
        />
        <SegmentField
          description="Combine messages sent within this many minutes."
          disabled={isLocked}
          options={digests}
          {...field('digest_minutes')}
        />
        <AmountField
          description="How long to collect the messages of a rule before the first one is sent. It names everything affected."
          unit="seconds"
          w={320}
          range={{ min: 0, max: channelLimits.groupWaitSeconds }}
          {...field('group_wait_seconds')}
        />
        <AmountField
          description="Combine further messages of the same rule sent within this time. 0: send each message by itself."
          unit="minutes"
          w={320}
          range={{ min: 0, max: channelLimits.groupMinutes }}
          {...field('group_minutes')}
        />
        <NumberField
          description="Further messages are combined into one."
          w={240}
          range={{ min: 1, max: channelLimits.perHour }}
          {...field('per_hour')}
        />
      </FormSection>
    </>
  );
}

/** Where a channel of its kind leads. */
function TargetFields({ entity: channel, values, field }: Form) {
  const { kind } = values;
  const text = (name: 'addresses' | 'url' | 'bot_token' | 'chat_id') => textControl(field(name));
  const keeps = channel === undefined ? '' : ' Leave empty to keep it.';
  switch (kind) {
    case 'console':
      return (
        <p className="note">
          The demo shows its messages in the <AppLink href={paths.inbox()}>inbox</AppLink> and sends nothing.
        </p>
      );
    case 'mail':
      return (
        <Textarea
          description={`One per line, at most ${channelLimits.addresses}.`}
          placeholder="on-call@example.com"
          autosize
          minRows={2}
          maxRows={8}
          {...text('addresses')}
        />
      );
    case 'telegram': {
      const needsToken = channel !== undefined && values.bot_token === '' && isTargetChanged(values, channel);
      return (
        <>
          <PasswordInput
            description={`The token that @BotFather gave for the bot. It is stored encrypted and never shown again.${keeps}`}
            {...text('bot_token')}
            error={field('bot_token').error ?? (needsToken ? 'Enter the token again to change the chat.' : undefined)}
            autoComplete="new-password"
          />
          <TextInput
            description="The number of the chat, or the name of a channel. The bot has to be a member of it."
            placeholder="-1001234567890 or @alerts"
            {...text('chat_id')}
          />
        </>
      );
    }
    case 'webhook':
      return (
        <TextInput
          description="Messages are posted to it as JSON, signed according to Standard Webhooks."
          type="url"
          placeholder="https://example.com/hooks/console"
          maxLength={channelLimits.urlCharacters}
          {...text('url')}
        />
      );
    default:
      return (
        <TextInput
          description={`${channelKindNames[kind]} shows it when you add the webhook. It is stored encrypted and never shown again.${keeps}`}
          placeholder={channel?.shown_target ?? 'https://hooks.slack.com/services/…'}
          maxLength={channelLimits.urlCharacters}
          {...text('url')}
          label="URL of the incoming webhook"
        />
      );
  }
}
