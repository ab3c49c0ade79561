import type { WordContext } from '@burgee/contract/words'

/** How something differs between two versions. */
export type DiffMark = 'added' | 'removed' | 'moved' | 'changed'

/** A member that differs. */
export type DiffRow =
  /** A short value before and after. Either is absent if there was or is none. */
  | { readonly kind: 'value'; readonly label: string; readonly before?: string; readonly after?: string }
  /** Values added to and removed from a list whose order means nothing. */
  | {
      readonly kind: 'values'
      readonly label: string
      readonly added: readonly string[]
      readonly removed: readonly string[]
    }
  /** JSON or a long text, compared line by line. */
  | { readonly kind: 'lines'; readonly label: string; readonly before: string; readonly after: string }

/** Something that differs, such as a target or a variation, with the members that differ. */
export interface DiffGroup {
  readonly id: string
  readonly title: string
  readonly mark: DiffMark
  /** A target in a sentence: what was added or removed, or what it is after the change. */
  readonly note?: string
  readonly rows: readonly DiffRow[]
}

/** Names of what a diff refers to. */
export interface DiffContext extends WordContext {
  /** Names of environments by id. */
  readonly environments?: ReadonlyMap<string, string>
  /** Keys of variables by id. */
  readonly variables?: ReadonlyMap<string, string>
  /** Names of targets by id. */
  readonly targets?: ReadonlyMap<string, string>
}
