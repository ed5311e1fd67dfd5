import { GoogleCallbackPage } from '../features/login/google-callback-page.tsx';
import { useEnter } from './use-enter.ts';

/** The external sign-in's way back together with where it leads. */
export default function GoogleCallbackScreen() {
  return <GoogleCallbackPage onSignedIn={useEnter()} />;
}
