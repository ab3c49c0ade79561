import type { CredentialFile } from './credentials/credentialFile.ts'
import type { SignedIn } from './credentials/signedIn.ts'
import { revokeSignIn } from './discover.ts'
import type { SignInProgram } from './program.ts'

interface SignOutResult {
  readonly outcome: 'signedOut' | 'notSignedIn'
  /** Why the server did not revoke the sign-in. */
  readonly failure?: unknown
}

/** Revokes a sign-in on the server, and removes the credentials from the file, even if the server is not reachable. */
export async function signOut<Entry extends object>(
  file: CredentialFile<Entry>,
  apiUrl: string,
  program: SignInProgram
): Promise<SignOutResult> {
  if (!(await file.read(apiUrl))) return { outcome: 'notSignedIn' }
  let failure: unknown
  await file.change(apiUrl, async (held) => {
    if (held && isSignedIn(held)) {
      await revokeSignIn(apiUrl, held, program).catch((error: unknown) => {
        failure = error
      })
    }
    return undefined
  })
  return { outcome: 'signedOut', ...(failure !== undefined && { failure }) }
}

/** Whether stored credentials are the sign-in of a person, and not an API client. */
export function isSignedIn(credentials: object): credentials is SignedIn {
  return 'refreshToken' in credentials
}
