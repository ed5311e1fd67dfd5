import { LoginPage } from '../features/login/login-page.tsx';
import { useEnter } from './use-enter.ts';

/** The login page together with where it leads. */
export default function LoginScreen() {
  return <LoginPage onSignedIn={useEnter()} />;
}
