import type { CustomProperty } from '@burgee/contract/schemas'
import { useMemo, useRef } from 'react'
import { type TreeAction, treeRefusal } from '../editTree.ts'
import type { FilterTree } from '../tree.ts'
import { GroupEditor } from './GroupEditor.tsx'
import { type AudienceChoice, type NodeIssue, TreeContext } from './TreeContext.ts'

interface Props {
  readonly tree: FilterTree
  /** Steps of one `group`, such as typing into one field, are undone together. */
  readonly dispatch: (action: TreeAction, group?: string) => void
  readonly place: 'target' | 'audience'
  /** What the conditions belong to, for example "target Canada first". */
  readonly name: string
  readonly customProperties: readonly CustomProperty[]
  /** The audiences of the project. Without them, no audience is reported as missing. */
  readonly audiences: readonly AudienceChoice[] | undefined
  /** Further reasons against a change. Default: those of the tree alone. */
  readonly refusalOf?: (action: TreeAction) => string | undefined
  /** Whether controls that are still empty show what they need: after the first attempt to save. */
  readonly isChecked?: boolean
  readonly issues?: readonly NodeIssue[]
}

/** The conditions of a target or an audience. */
export function FilterTreeEditor(props: Props) {
  const { tree, dispatch, place, name, customProperties, audiences, refusalOf, isChecked = false, issues } = props
  const focus = useRef<string>(undefined)
  const audienceReferences = useMemo(
    () => audiences && new Set(audiences.flatMap(({ _id, key }) => [_id, key])),
    [audiences]
  )
  const value = {
    tree,
    dispatch,
    refusalOf: refusalOf ?? ((action: TreeAction) => treeRefusal(tree, action)),
    place,
    customProperties,
    audiences: audiences ?? [],
    audienceReferences,
    isChecked,
    issues: issues ?? [],
    focus
  }
  return (
    <TreeContext value={value}>
      <GroupEditor group={tree.root} name={name} level={1} />
    </TreeContext>
  )
}
