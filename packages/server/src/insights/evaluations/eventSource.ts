import type { SdkKeyType } from '@burgee/contract'
import { OTHER_PLATFORM, type SdkType, sdkTypes } from '../../storage/events/eventEntry.ts'

/** Where evaluations come from, as results tell it apart. */
export interface EventSource {
  readonly platform: string
  readonly sdkType: SdkType
}

/** The sender that a user names, where it can be made out; `sdkType` is what they came by. With a key that everybody has, it is what the key is for. */
export function eventSourceOf(
  user: { readonly platform?: string | null | undefined; readonly sdkType?: string | null | undefined },
  { keyType, sdkType }: { readonly keyType: SdkKeyType; readonly sdkType: SdkType }
): EventSource {
  const named = keyType === 'server' ? sdkTypes.find((type) => type === user.sdkType) : keyType
  return { platform: readPlatform(user.platform), sdkType: named ?? sdkType }
}

/** The longest name of a platform. What is longer is none. */
const MAX_PLATFORM = 100

function readPlatform(platform: string | null | undefined): string {
  if (!platform) return 'unknown'
  // Text that nobody can keep is no name either.
  return platform.length > MAX_PLATFORM || platform.includes('\0') ? OTHER_PLATFORM : platform
}
