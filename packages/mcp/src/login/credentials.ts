import { join } from 'node:path'
import { configFolder } from '@burgee/kit/files'
import type { Environment } from '@burgee/kit/settings'
import { type CredentialFile, openCredentialFile, SignedIn, type SignInProgram } from '@burgee/sign-in'

/** This program, as messages about sign-ins name it. */
export const signInProgram: SignInProgram = { name: 'burgee-mcp', serverFlag: '--api-url' }

/** The stored sign-ins of people. */
export type SignIns = CredentialFile<SignedIn>

/** Opens the file of stored sign-ins in the user's configuration folder. */
export function openSignIns(environment: Environment, platform: NodeJS.Platform): SignIns {
  const path = join(configFolder(environment, platform), 'mcp.json')
  return openCredentialFile({ path, entry: SignedIn, platform, program: signInProgram })
}
