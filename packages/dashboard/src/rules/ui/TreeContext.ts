import type { Audience, CustomProperty } from '@burgee/contract/schemas'
import { createContext, type RefObject, useContext } from 'react'
import type { TreeAction } from '../editTree.ts'
import type { FilterTree } from '../tree.ts'

/** An audience that conditions can refer to. */
export type AudienceChoice = Pick<Audience, '_id' | 'key' | 'name' | 'filters'>

/** A problem at a condition that the server found. `path` leads to the member of the filter. */
export interface NodeIssue {
  readonly node?: string
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** What the conditions of one tree share. */
export interface TreeContextValue {
  readonly tree: FilterTree
  /** Steps of one `group`, such as typing into one field, are undone together. */
  readonly dispatch: (action: TreeAction, group?: string) => void
  /** Why a change is not possible, for the disabled control. */
  readonly refusalOf: (action: TreeAction) => string | undefined
  readonly place: 'target' | 'audience'
  readonly customProperties: readonly CustomProperty[]
  readonly audiences: readonly AudienceChoice[]
  /** Ids and keys of the audiences, if they are known. */
  readonly audienceReferences: ReadonlySet<string> | undefined
  /** Whether controls that are still empty show what they need. */
  readonly isChecked: boolean
  readonly issues: readonly NodeIssue[]
  /** The key of the condition that takes the focus when it appears. */
  readonly focus: RefObject<string | undefined>
}

export const TreeContext = createContext<TreeContextValue | undefined>(undefined)

export function useTree(): TreeContextValue {
  const value = useContext(TreeContext)
  if (!value) throw new Error('conditions need a FilterTreeEditor around them')
  return value
}
