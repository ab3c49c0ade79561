import { FolderPlus, MoreHorizontal, Plus } from 'lucide-react'
import { useRef } from 'react'
import { Button, IconButton } from '../../components/Button.tsx'
import { SelectField } from '../../components/Field.tsx'
import { Menu, MenuItem } from '../../components/Menu.tsx'
import { type Condition, newCondition } from '../conditions.ts'
import type { GroupNode } from '../tree.ts'
import { ConditionRow } from './ConditionRow.tsx'
import styles from './Conditions.module.css'
import { useTree } from './TreeContext.ts'

interface Props {
  readonly group: GroupNode
  /** What the group is in, for example "target Canada first". */
  readonly name: string
  readonly level: number
}

const operators = [
  { value: 'and', label: 'all of' },
  { value: 'or', label: 'any of' }
] as const

/** "All of" or "any of" its conditions and groups. */
export function GroupEditor({ group, name, level }: Props) {
  const { dispatch } = useTree()
  const adder = useRef<HTMLButtonElement>(null)
  const words = group.operator === 'or' ? 'any of' : 'all of'
  const label = `${words}, in ${name}`
  const hasOperator = level > 1 || group.members.length > 1
  const onRemove = (key: string) => {
    dispatch({ type: 'remove', key })
    adder.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: groups nest inside of a fieldset that names the whole.
    <div role="group" aria-label={label} className={level > 1 ? styles.nested : styles.group}>
      {hasOperator && (
        <div className={styles.groupHead}>
          <SelectField
            label="How conditions combine"
            isLabelHidden
            value={group.operator}
            options={operators}
            onChange={(operator) => dispatch({ type: 'setOperator', group: group.key, operator })}
          />
          {level > 1 && <GroupMenu group={group} />}
        </div>
      )}
      <ul className={styles.members}>
        {group.members.map((node) => (
          <li key={node.key}>
            {node.kind === 'group' ? (
              <GroupEditor group={node} name={label} level={level + 1} />
            ) : (
              <ConditionRow node={node} group={group} onRemove={() => onRemove(node.key)} />
            )}
          </li>
        ))}
      </ul>
      <EmptyGroup group={group} />
      <AddButtons group={group} level={level} adder={adder} />
    </div>
  )
}

function EmptyGroup({ group }: { readonly group: GroupNode }) {
  if (group.members.length > 0) return null
  return (
    <p className={styles.error}>Add a condition or remove the group: a group without conditions matches no user.</p>
  )
}

function AddButtons({
  group,
  level,
  adder
}: Pick<Props, 'group' | 'level'> & { readonly adder: React.RefObject<HTMLButtonElement | null> }) {
  const { tree, dispatch, refusalOf, focus } = useTree()
  const condition: Condition = newCondition({ kind: 'user', subType: 'email' })
  const [only] = group.members
  const isForAll = group.members.length === 1 && only?.kind === 'condition' && only.filter.type === 'all'
  const add = () => {
    if (isForAll && only) {
      // The first condition takes the place of "everyone", which would match beside it as before.
      focus.current = only.key
      dispatch({ type: 'replaceCondition', key: only.key, condition })
    } else {
      focus.current = String(tree.nextKey)
      dispatch({ type: 'addCondition', group: group.key, condition })
    }
  }
  const addGroup = () => {
    focus.current = String(tree.nextKey + 1)
    dispatch({ type: 'addGroup', group: group.key, condition })
  }
  return (
    <div className={styles.adders}>
      <Button
        kind="quiet"
        ref={adder}
        icon={<Plus size={16} aria-hidden="true" />}
        onClick={add}
        reason={isForAll ? undefined : refusalOf({ type: 'addCondition', group: group.key, condition })}
      >
        {isForAll ? 'Add a condition' : 'Condition'}
      </Button>
      {level === 1 && !isForAll && (
        <Button
          kind="quiet"
          icon={<FolderPlus size={16} aria-hidden="true" />}
          onClick={addGroup}
          reason={refusalOf({ type: 'addGroup', group: group.key, condition })}
        >
          Group
        </Button>
      )}
    </div>
  )
}

function GroupMenu({ group }: { readonly group: GroupNode }) {
  const { dispatch, refusalOf } = useTree()
  const ungroup = { type: 'ungroup', key: group.key } as const
  const wrap = { type: 'putIntoGroup', key: group.key } as const
  const remove = { type: 'remove', key: group.key } as const
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label="More actions for this group">
          <MoreHorizontal size={16} aria-hidden="true" />
        </IconButton>
      }
    >
      <MenuItem onSelect={() => dispatch(ungroup)} reason={refusalOf(ungroup)}>
        Ungroup
      </MenuItem>
      <MenuItem onSelect={() => dispatch(wrap)} reason={refusalOf(wrap)}>
        Put into a group
      </MenuItem>
      <MenuItem onSelect={() => dispatch(remove)} reason={refusalOf(remove)} isDangerous>
        Remove the group
      </MenuItem>
    </Menu>
  )
}
