/** The pages of channels, which are one file for the browser. */
export { CreateChannelPage, EditChannelPage } from './channel-form-pages.tsx';
export { ChannelsPage } from './channels-page.tsx';
export { InboxPage } from './inbox-page.tsx';
