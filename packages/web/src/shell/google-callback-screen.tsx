import { GoogleCallbackPage } from '../features/login/google-callback-page.tsx';
import { useEnter } from './use-enter.ts';

/** The external sign-in's way back together with where it leads; its address with the code does not stay in the history. */
export default function GoogleCallbackScreen() {
  return <GoogleCallbackPage onSignedIn={useEnter()} />;
}
