/** What a draft belongs to. Another user of the same browser never sees it. */
export interface DraftAddress {
  readonly user: string
  /** The type and id of the resource, for example `feature/65f0c0ffee0123456789abcd`. */
  readonly resource: string
  /** Absent for a resource that has no environments. */
  readonly environment?: string
}

/** A draft as it is kept: both versions in the form of the API. */
export interface StoredDraft<Api> {
  readonly base: Api
  readonly mine: Api
  /** The revision of `base`. */
  readonly revision: string
  /** Epoch milliseconds. */
  readonly savedAt: number
}

/**
 * Whether a draft is kept over a reload. `tooLarge`: it is longer than `MAX_DRAFT_LENGTH`. `noRoom`: the storage of the
 * browser is full or turned off. The draft on the page is not affected.
 */
export type KeepResult = 'kept' | 'tooLarge' | 'noRoom'

/** The part of the browser's `sessionStorage` that drafts need. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** The maximum length of a kept draft in characters of JSON: some lists of 10,000 values. Browsers keep 5 million. */
export const MAX_DRAFT_LENGTH = 2_000_000

const PREFIX = 'burgee:draft:'
/** Changes with the stored shape; drafts of other formats are dropped. */
const FORMAT = 1

/** Keeps a draft in place of the one before. If it cannot be kept, the older one goes too, since it is outdated. */
export function keepDraft<Api>(storage: DraftStorage, address: DraftAddress, draft: StoredDraft<Api>): KeepResult {
  const text = JSON.stringify({ format: FORMAT, ...draft })
  if (text.length > MAX_DRAFT_LENGTH) {
    dropDraft(storage, address)
    return 'tooLarge'
  }
  try {
    storage.setItem(keyOf(address), text)
    return 'kept'
  } catch {
    // Browsers throw when the quota is used up, and for any write when the user has turned storage off.
    dropDraft(storage, address)
    return 'noRoom'
  }
}

/** Returns the draft of an address, or undefined. Drops an entry that cannot be read. */
export function loadDraft<Api>(storage: DraftStorage, address: DraftAddress): StoredDraft<Api> | undefined {
  try {
    const text = storage.getItem(keyOf(address))
    if (text === null) return undefined
    const draft: unknown = JSON.parse(text)
    // `keepDraft` wrote the entry: the key and the format say of which type.
    if (isStoredDraft(draft)) return draft as StoredDraft<Api>
  } catch {
    // Storage is turned off, or the entry is not JSON.
  }
  dropDraft(storage, address)
  return undefined
}

/** Removes the draft of an address. */
export function dropDraft(storage: DraftStorage, address: DraftAddress): void {
  try {
    storage.removeItem(keyOf(address))
  } catch {
    // Storage that is turned off has no drafts.
  }
}

/** Returns how many drafts of a user are kept. */
export function countDrafts(storage: DraftStorage, user: string): number {
  return keysOf(storage).filter((key) => isOfUser(key, user)).length
}

/** Removes what a user leaves behind when they sign out. Drafts that others have kept stay for them. */
export function clearForUser(
  storage: DraftStorage,
  user: string,
  { keepsDrafts }: { readonly keepsDrafts: boolean }
): void {
  for (const key of keysOf(storage)) {
    const isKept = key.startsWith(PREFIX) && (keepsDrafts || !isOfUser(key, user))
    if (!isKept) storage.removeItem(key)
  }
}

function keysOf(storage: DraftStorage): readonly string[] {
  try {
    return Array.from({ length: storage.length }, (_, index) => storage.key(index)).filter((key) => key !== null)
  } catch {
    // Storage that is turned off has no entries.
    return []
  }
}

function isOfUser(key: string, user: string): boolean {
  return key.startsWith(`${PREFIX}${encodeURIComponent(user)}:`)
}

function keyOf({ user, resource, environment = '' }: DraftAddress): string {
  return PREFIX + [user, resource, environment].map(encodeURIComponent).join(':')
}

function isStoredDraft(value: unknown): value is StoredDraft<unknown> {
  if (typeof value !== 'object' || value === null) return false
  const { format, revision, savedAt } = value as Record<string, unknown>
  const hasVersions = 'base' in value && 'mine' in value
  return format === FORMAT && hasVersions && typeof revision === 'string' && typeof savedAt === 'number'
}
