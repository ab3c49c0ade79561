import { MoreHorizontal, X } from 'lucide-react'
import { useDeferredValue, useEffect, useRef } from 'react'
import { IconButton } from '../../components/Button.tsx'
import { Menu, MenuItem } from '../../components/Menu.tsx'
import { type ConditionMessage, conditionMessages } from '../conditionMessages.ts'
import { type Condition, withComparator } from '../conditions.ts'
import { propertyOf } from '../properties.ts'
import type { ConditionNode, GroupNode } from '../tree.ts'
import { ComparatorField } from './ComparatorField.tsx'
import styles from './Conditions.module.css'
import { PropertyField } from './PropertyField.tsx'
import { useTree } from './TreeContext.ts'
import { FilterValueField } from './values/FilterValueField.tsx'

interface Props {
  readonly node: ConditionNode
  readonly group: GroupNode
  readonly onRemove: () => void
}

/** One condition: the property, how it is compared, and the values. */
export function ConditionRow({ node, group, onRemove }: Props) {
  const { dispatch, refusalOf, focus } = useTree()
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focus.current !== node.key) return
    focus.current = undefined
    row.current?.querySelector('select')?.focus()
  })
  const messages = useMessages(node, group)
  const replace = (condition: Condition, step?: string) =>
    dispatch({ type: 'replaceCondition', key: node.key, condition }, step && `${node.key} ${step}`)
  const property = propertyOf(node.filter)
  const wrap = { type: 'putIntoGroup', key: node.key } as const
  const remove = { type: 'remove', key: node.key } as const
  return (
    <div ref={row} className={styles.row}>
      <div className={styles.fields}>
        <PropertyField condition={node} onChange={replace} error={messageOf(messages, 'property', 'error')} />
        {property && (
          <ComparatorField
            filter={node.filter}
            property={property}
            onChange={(comparator) => replace(withComparator(node, comparator))}
            error={messageOf(messages, 'comparator', 'error')}
          />
        )}
        <FilterValueField condition={node} messages={messages} onChange={replace} />
      </div>
      <span className={styles.rowEnd}>
        <Menu
          align="end"
          trigger={
            <IconButton label="More actions for this condition">
              <MoreHorizontal size={16} aria-hidden="true" />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => dispatch(wrap)} reason={refusalOf(wrap)}>
            Put into a group
          </MenuItem>
        </Menu>
        <IconButton
          label={refusalOf(remove) ?? 'Remove this condition'}
          disabled={refusalOf(remove) !== undefined}
          onClick={onRemove}
          onKeyDown={({ key }) => key === 'Delete' && onRemove()}
        >
          <X size={16} aria-hidden="true" />
        </IconButton>
      </span>
      <RowHints messages={messages} />
    </div>
  )
}

function RowHints({ messages }: { readonly messages: readonly ConditionMessage[] }) {
  const hints = messages.filter(({ level, member }) => level === 'hint' && member === 'property')
  return hints.map(({ message }) => (
    <p key={message} className={styles.hint}>
      {message}
    </p>
  ))
}

/** The messages of a condition: its own and those of the server. What is still empty counts after an attempt to save. */
function useMessages(node: ConditionNode, { operator, members }: GroupNode): readonly ConditionMessage[] {
  const { customProperties, audienceReferences, isChecked, issues } = useTree()
  const group = { operator, size: members.length }
  // Checked after the change is painted: 10,000 values take several frames.
  const checked = useDeferredValue(node)
  const own = conditionMessages(checked, {
    customProperties,
    ...(audienceReferences ? { audiences: audienceReferences } : {}),
    group
  })
  const shown = own.filter(({ level, index }) => level !== 'error' || index !== undefined || isChecked)
  const ofServer = issues
    .filter((issue) => issue.node === node.key)
    .map(({ path: [member, index], message }): ConditionMessage => {
      const control =
        member === 'comparator' ? 'comparator' : /values|_audiences/.test(String(member)) ? 'values' : 'property'
      return { level: 'error', member: control, message, ...(typeof index === 'number' ? { index } : {}) }
    })
  return [...shown, ...ofServer]
}

function messageOf(
  messages: readonly ConditionMessage[],
  member: ConditionMessage['member'],
  level: ConditionMessage['level']
): string | undefined {
  return messages.find((message) => message.member === member && message.level === level)?.message
}
