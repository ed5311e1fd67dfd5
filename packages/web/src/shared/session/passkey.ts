import {
  beginPasskeySignIn,
  getOwnPasskeyOptions,
  getPasskeyOptionsOfSignIn,
  signInWithPasskey,
} from '@switchyard/contract/second-factors';
import type { CreationOptions, NewPasskey, PasskeyProof, RequestOptions } from '@switchyard/contract/passkeys';
import type { SignedIn } from '@switchyard/contract/session';
import { CallError, isUnconfirmed } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import { failureText } from './failure-text.ts';

const showsFailureItself = (): boolean => true;

/** Whether this browser and this address can use passkeys: browsers offer them over https and on localhost only. */
export function canUsePasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function';
}

/** Why a passkey was not made or used; null when the person broke it off. */
export function passkeyFailure(error: unknown): string | null {
  if (error instanceof CallError) return isUnconfirmed(error) ? null : failureText(error);
  if (!(error instanceof Error)) throw error;
  if (error.name === 'AbortError' || error.name === 'NotAllowedError') return null;
  if (error.name === 'InvalidStateError') return 'This device already has a passkey of your account';
  if (error.name === 'SecurityError') return 'Passkeys do not work at this address of the console';
  return 'The passkey could not be used. Try again';
}

/** Makes a passkey on the reader's device. The library is loaded when it is needed. */
export async function createPasskey(options: CreationOptions): Promise<NewPasskey> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const { id, rawId, response } = await startRegistration({ optionsJSON: options });
  const { clientDataJSON, attestationObject, transports } = response;
  return { id, rawId, type: 'public-key', response: { clientDataJSON, attestationObject, transports } };
}

async function signWithPasskey(options: RequestOptions): Promise<PasskeyProof> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const { allowCredentials, ...rest } = options;
  const optionsJSON = allowCredentials === undefined ? rest : { ...rest, allowCredentials };
  const { id, rawId, response } = await startAuthentication({ optionsJSON });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return { id, rawId, type: 'public-key', response: { clientDataJSON, authenticatorData, signature, userHandle } };
}

/** Signs in with a passkey alone. */
export async function signInByPasskey(): Promise<SignedIn> {
  const challengeResponse = await call(beginPasskeySignIn, { showsFailureItself });
  const passkey = await signWithPasskey(challengeResponse.data.options);
  const { data } = await call(signInWithPasskey, { body: { challenge: challengeResponse.data.challenge, passkey }, showsFailureItself });
  return data;
}

/** The proof of a passkey for the sign-in that a challenge continues. */
export async function proofOfSignIn(challenge: string): Promise<PasskeyProof> {
  const { data } = await call(getPasskeyOptionsOfSignIn, { body: { challenge }, showsFailureItself });
  return signWithPasskey(data.options);
}

/** The proof of a passkey of the signed-in person. */
export async function proofOfIdentity(): Promise<{ challenge: string; passkey: PasskeyProof }> {
  const { data } = await call(getOwnPasskeyOptions, { showsFailureItself });
  return { challenge: data.challenge, passkey: await signWithPasskey(data.options) };
}
