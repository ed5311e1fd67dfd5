import type { CreationOptions, NewPasskey, PasskeyProof, RequestOptions } from '@switchyard/contract/passkeys';

/** A passkey as it is stored. */
export type StoredPasskey = { credentialId: string; publicKey: Buffer; signatureCount: number; transports: string[] };

/** Passkeys (WebAuthn) of the console at one address. Every passkey verifies its user, so it counts as two factors. */
export type Passkeys = {
  /** Options for a new passkey of an account, other than the given ones. */
  creationOptions(owner: { accountId: number; email: string; existing: readonly StoredPasskey[] }): Promise<CreationOptions>;
  /** Checks a new passkey against the challenge of its options; null when it does not fit. */
  verifyNew(answer: { passkey: NewPasskey; challenge: string }): Promise<StoredPasskey | null>;
  /** Options for using one of the given passkeys; null: any passkey of this console. */
  requestOptions(allowedPasskeys: readonly StoredPasskey[] | null): Promise<RequestOptions>;
  /** Gives the new signature count; null when the proof does not fit, or when the count went back, as that of a copy does. */
  verify(answer: { proof: PasskeyProof; challenge: string; passkey: StoredPasskey }): Promise<number | null>;
};

/** Loads the library at its first use: it has a fifth of the modules that a start of the console would load. */
const loadWebAuthn = async () => import('@simplewebauthn/server');

/** Milliseconds that the browser waits for its user. */
const timeout = 120_000;

/** Passkeys belong to names, so those of a console on this machine belong to `localhost`, not to 127.0.0.1. */
function siteOf(address: string): URL {
  const site = new URL(address);
  if (/^(?:127\.[\d.]+|\[::1\])$/.test(site.hostname)) site.hostname = 'localhost';
  return site;
}

/** Passkeys of the console at this address, under this name. */
export function createPasskeys({ address, name }: { address: string; name: string }): Passkeys {
  const { origin, hostname: rpID } = siteOf(address);
  return {
    async creationOptions({ accountId, email, existing }) {
      const { generateRegistrationOptions } = await loadWebAuthn();
      const options = await generateRegistrationOptions({
        rpName: name,
        rpID,
        userID: new TextEncoder().encode(`switchyard-${accountId}`),
        userName: email,
        userDisplayName: email,
        timeout,
        attestationType: 'none',
        excludeCredentials: existing.map(describePasskey),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      return {
        rp: { name, id: rpID },
        user: options.user,
        challenge: options.challenge,
        pubKeyCredParams: options.pubKeyCredParams.map(({ alg }) => ({ alg, type: 'public-key' })),
        timeout,
        excludeCredentials: existing.map((passkey) => ({ ...describePasskey(passkey), type: 'public-key' })),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
      };
    },

    async verifyNew({ passkey, challenge }) {
      const { transports, ...response } = passkey.response;
      const expectations = { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true };
      const { verifyRegistrationResponse } = await loadWebAuthn();
      // The library throws for every answer that does not fit.
      const result = await verifyRegistrationResponse({
        ...expectations,
        response: { ...passkey, response, clientExtensionResults: {} },
      }).catch(() => null);
      if (result?.registrationInfo === undefined) return null;
      const { credential } = result.registrationInfo;
      return {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        signatureCount: credential.counter,
        transports: transports ?? [],
      };
    },

    async requestOptions(allowedPasskeys) {
      const { generateAuthenticationOptions } = await loadWebAuthn();
      const { challenge } = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
      const options = { challenge, rpId: rpID, timeout, userVerification: 'required' } as const;
      if (allowedPasskeys === null) return options;
      return {
        ...options,
        allowCredentials: allowedPasskeys.map((passkey) => ({ ...describePasskey(passkey), type: 'public-key' as const })),
      };
    },

    async verify({ proof, challenge, passkey }) {
      const { userHandle, ...rest } = proof.response;
      const response = userHandle === undefined ? rest : { ...rest, userHandle };
      const { verifyAuthenticationResponse } = await loadWebAuthn();
      const result = await verifyAuthenticationResponse({
        response: { ...proof, response, clientExtensionResults: {} },
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
        credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.signatureCount },
      }).catch(() => null);
      return result?.verified === true ? result.authenticationInfo.newCounter : null;
    },
  };
}

function describePasskey({ credentialId, transports }: StoredPasskey) {
  return { id: credentialId, transports };
}
