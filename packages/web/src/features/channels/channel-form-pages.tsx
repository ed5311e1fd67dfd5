import { Button, Input, PasswordInput, SegmentedControl, Switch, Textarea, TextInput } from '@mantine/core';
import { alertSeverities } from '@switchyard/contract/alerts';
import { channelKinds, channelLimits, digestMinutes, rotateChannelSecret, type Channel } from '@switchyard/contract/channels';
import { IconKey, IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { severityNames } from '../../shared/alerts/alert-words.ts';
import { useMayChangeAlerts } from '../../shared/alerts/may-change-alerts.ts';
import { call } from '../../shared/api/call.ts';
import { EntityForm, NameField } from '../../shared/form/entity-form.tsx';
import { EntityPage, LoadedEntity } from '../../shared/form/entity-page.tsx';
import { FormSection } from '../../shared/form/form-section.tsx';
import { useDraft } from '../../shared/form/use-draft.ts';
import { useEntityEdit } from '../../shared/form/use-entity-edit.ts';
import { useGoBack, useOpenPath } from '../../shared/navigation.tsx';
import { RouteTabs } from '../../shared/page/route-tabs.tsx';
import { paths } from '../../shared/paths.ts';
import { askConfirm } from '../../shared/ui/confirm.tsx';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import { ChannelMessages } from './channel-messages.tsx';
import {
  allAppsOnly,
  cacheChannel,
  channelKindNames,
  channelModel,
  channelQuery,
  channelTabs,
  isPerHourValid,
  isTargetChanged,
  missingSecrets,
  refreshChannels,
  storeChannel,
  type ChannelValues,
} from './channel-model.ts';
import { SecretDialog } from './channel-secret.tsx';
import { SendTest } from './send-test.tsx';
import { Writes } from '../../shared/ui/read-only.tsx';

const list = { listTitle: 'Channels', listPath: paths.channels() };

/** Creates a channel, shows the signing secret of a webhook, and opens the channel's page. */
export function CreateChannelPage() {
  const isAllowed = useMayChangeAlerts();
  return (
    <EntityPage {...list}>
      {isAllowed ? (
        <ChannelForm />
      ) : (
        <StatePanel icon={IconLock} title="You cannot create channels">
          {allAppsOnly}
        </StatePanel>
      )}
    </EntityPage>
  );
}

/** A channel: its settings, and the messages that it sent. */
export function EditChannelPage() {
  return (
    <LoadedEntity noun={channelModel.noun} {...list} query={channelQuery} renderActions={(channel) => <Actions channel={channel} />}>
      {(channel) => (
        <RouteTabs names={Object.values(channelTabs)} label="Channel">
          {(name) => (name === channelTabs.messages ? <ChannelMessages channel={channel} /> : <ChannelForm channel={channel} />)}
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
        cacheChannel(data.channel);
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

/** The fields of a channel; a new one is created without `channel`. */
function ChannelForm({ channel }: { channel?: Channel }) {
  const goBack = useGoBack();
  const openPath = useOpenPath();
  const mayChange = useMayChangeAlerts();
  const [created, setCreated] = useState<{ id: number; secret: string | null } | null>(null);
  const base = useDraft(channelModel, channel);
  const missing = [...base.missing, ...missingSecrets(base.values, channel)];
  const draft = { ...base, missing: isPerHourValid(base.values.perHour) ? missing : [...missing, 'Maximum messages per hour'] };
  const edit = useEntityEdit(channelModel, draft, {
    entity: channel,
    save: async (values, stored) => {
      const { channel: saved, signing_secret: secret } = await storeChannel(values, stored);
      if (stored === undefined) setCreated({ id: saved.id, secret });
      return saved;
    },
    resetsOnSave: channel !== undefined,
    onReplaced: cacheChannel,
    onSaved: (saved) => {
      notify({ type: 'success', message: `Channel "${saved.name}" ${channel === undefined ? 'created' : 'saved'}` });
      void refreshChannels();
      // The page of a new webhook waits for its secret to be stored.
      if (channel !== undefined) goBack(list.listPath);
      else if (saved.kind !== 'webhook') openPath(paths.channelEdit(saved.id), { replace: true });
    },
  });
  const { values } = draft;
  const [label, saveLabel] = channel === undefined ? ['New channel', 'Create'] : [`Channel ${channel.name}`, 'Save'];
  const lock = { isLocked: !mayChange };
  return (
    <>
      <EntityForm edit={edit} label={label} saveLabel={saveLabel} maySave={mayChange}>
        <FormSection title="Channel" summary={mayChange ? 'What it is called and where it leads.' : allAppsOnly} {...lock}>
          <NameField
            name="name"
            maxLength={channelLimits.nameCharacters}
            value={values.name}
            error={draft.errorOf('name')}
            onChange={(name) => draft.set({ name })}
          />
          {channel === undefined ? (
            <Input.Wrapper label="Kind" labelElement="div" error={draft.errorOf('kind')}>
              <SegmentedControl
                fullWidth
                mt={4}
                size="xs"
                aria-label="Kind"
                data={channelKinds.map((kind) => ({ value: kind, label: channelKindNames[kind] }))}
                value={values.kind}
                onChange={(kind) => draft.set({ kind })}
              />
            </Input.Wrapper>
          ) : (
            <TextInput label="Kind" readOnly data-locked value={channelKindNames[values.kind]} />
          )}
          <TargetFields draft={base} channel={channel} />
        </FormSection>
        <FormSection title="Messages" summary="Which messages it sends, and how many at once." {...lock}>
          <MessageFields draft={base} isLocked={!mayChange} />
        </FormSection>
      </EntityForm>
      <SecretDialog
        secret={created?.secret ?? null}
        isRotated={false}
        onClose={() => created !== null && openPath(paths.channelEdit(created.id), { replace: true, losesInput: true })}
      />
    </>
  );
}

type Draft = ReturnType<typeof useDraft<Channel, ChannelValues>>;

/** Where a channel of its kind leads. */
function TargetFields({ draft, channel }: { draft: Draft; channel: Channel | undefined }) {
  const { kind } = draft.values;
  const field = (name: 'addresses' | 'url' | 'botToken' | 'chatId') => ({
    name,
    autoComplete: 'off',
    spellCheck: false,
    value: draft.values[name],
    error: draft.errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => draft.set({ [name]: event.currentTarget.value }),
  });
  const keeps = channel === undefined ? '' : ' Leave it empty to keep it.';
  switch (kind) {
    case 'mail':
      return (
        <Textarea
          label="Addresses"
          description={`One in each line, at most ${channelLimits.addresses}.`}
          placeholder="on-call@example.com"
          autosize
          minRows={2}
          maxRows={8}
          {...field('addresses')}
        />
      );
    case 'telegram': {
      const needsToken = channel !== undefined && draft.values.botToken === '' && isTargetChanged(draft.values, channel);
      return (
        <>
          <PasswordInput
            label="Bot token"
            description={`The token that @BotFather gave for the bot. It is stored encrypted and never shown again.${keeps}`}
            {...field('botToken')}
            error={draft.errorOf('botToken') ?? (needsToken ? 'Enter the token again to change the chat.' : undefined)}
            autoComplete="new-password"
          />
          <TextInput
            label="Chat"
            description="The number of the chat, or the name of a channel. The bot has to be a member of it."
            placeholder="-1001234567890 or @alerts"
            {...field('chatId')}
          />
        </>
      );
    }
    case 'webhook':
      return (
        <TextInput
          label="Url"
          description="Messages are posted to it as JSON, signed according to Standard Webhooks."
          type="url"
          placeholder="https://example.com/hooks/console"
          maxLength={channelLimits.urlCharacters}
          {...field('url')}
        />
      );
    default:
      return (
        <TextInput
          label="Url of the incoming webhook"
          description={`${channelKindNames[kind]} shows it when you add the webhook. It is stored encrypted and never shown again.${keeps}`}
          placeholder={channel?.shown_target ?? 'https://hooks.slack.com/services/…'}
          maxLength={channelLimits.urlCharacters}
          {...field('url')}
        />
      );
  }
}

/** Which messages a channel sends, and how often. */
function MessageFields({ draft, isLocked }: { draft: Draft; isLocked: boolean }) {
  const { severity, digest, perHour, isOn } = draft.values;
  return (
    <>
      <Switch
        label="Switched on"
        description="While it is off, it sends nothing, and what happens meanwhile is not sent later."
        checked={isOn}
        disabled={isLocked}
        onChange={(event) => draft.set({ isOn: event.currentTarget.checked })}
      />
      <Input.Wrapper
        label="Minimum severity"
        labelElement="div"
        description="Less severe messages are not sent."
        error={draft.errorOf('severity')}
      >
        <SegmentedControl
          fullWidth
          mt={4}
          size="xs"
          aria-label="Minimum severity"
          disabled={isLocked}
          data={alertSeverities.toReversed().map((name) => ({ value: name, label: severityNames[name] }))}
          value={severity}
          onChange={(next) => draft.set({ severity: next })}
        />
      </Input.Wrapper>
      <Input.Wrapper
        label="Digest interval"
        labelElement="div"
        description="Combine messages sent within this many minutes."
        error={draft.errorOf('digest')}
      >
        <SegmentedControl
          fullWidth
          mt={4}
          size="xs"
          aria-label="Digest interval"
          disabled={isLocked}
          data={digestMinutes.map((minutes) => ({ value: String(minutes), label: minutes === 0 ? 'Off' : `${minutes} min` }))}
          value={digest}
          onChange={(next) => draft.set({ digest: next })}
        />
      </Input.Wrapper>
      <TextInput
        label="Maximum messages per hour"
        description="Further messages are combined into one."
        inputMode="numeric"
        autoComplete="off"
        w={240}
        value={perHour}
        error={
          draft.errorOf('perHour') ?? (isPerHourValid(perHour) ? undefined : `Enter a whole number from 1 to ${channelLimits.perHour}.`)
        }
        onChange={(event) => draft.set({ perHour: event.currentTarget.value })}
      />
    </>
  );
}
