import type { CustomProperty } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { IconButton } from '../../components/Button.tsx'
import { Code } from '../../components/Copy.tsx'
import { CreateButton } from '../../components/CreateButton.tsx'
import { DocsLink } from '../../components/links/DocsLink.tsx'
import { Menu, MenuItem } from '../../components/Menu.tsx'
import { Page } from '../../components/Page.tsx'
import { Empty, Loaded } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import styles from './CustomProperties.module.css'
import { DeletePropertyDialog } from './DeletePropertyDialog.tsx'
import { PropertyDialog } from './PropertyDialog.tsx'

/** The dialog that is open over the list. */
type Open =
  | { readonly type: 'edit'; readonly property?: CustomProperty }
  | { readonly type: 'delete'; readonly property: CustomProperty }

/** The attributes of users that applications send beside the built-in ones. */
export function CustomPropertyPage() {
  const { project = '' } = useParams({ strict: false })
  const [open, setOpen] = useState<Open>()
  const cannotWrite = useMissingPermission('feature:write', project)
  const cannotDelete = useMissingPermission('feature:delete', project)
  const properties = useRead('listCustomProperties', {
    params: { project },
    query: { perPage: 1000, includeUsage: 'true' }
  })
  const create = (
    <CreateButton onClick={() => setOpen({ type: 'edit' })} reason={cannotWrite}>
      New custom property
    </CreateButton>
  )
  const actions = (property: CustomProperty) => (
    <Menu
      align="end"
      trigger={
        <IconButton label={`Actions for ${property.name}`}>
          <MoreHorizontal size={16} aria-hidden="true" />
        </IconButton>
      }
    >
      <MenuItem reason={cannotWrite} onSelect={() => setOpen({ type: 'edit', property })}>
        Edit…
      </MenuItem>
      <MenuItem isDangerous reason={cannotDelete} onSelect={() => setOpen({ type: 'delete', property })}>
        Delete…
      </MenuItem>
    </Menu>
  )
  return (
    <Page title="Custom properties" actions={create}>
      <Loaded query={properties} title="Custom properties could not be loaded">
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="A custom property is an attribute of your users, such as their plan." action={create}>
              <p>
                Applications send it as <code>customData</code>. Once it is described here, targets and audiences offer
                it with its type and values.{' '}
                <DocsLink page="reference/evaluation.md#filters">How filters compare custom properties</DocsLink>
              </p>
            </Empty>
          ) : (
            <Table
              label="Custom properties"
              rows={rows}
              rowKey={({ _id }) => _id}
              columns={[
                { id: 'name', title: 'Name', cell: ({ name }) => <bdi className={styles.name}>{name}</bdi> },
                { id: 'property', title: 'In customData', cell: ({ propertyKey }) => <Code>{propertyKey}</Code> },
                { id: 'type', title: 'Type', cell: ({ type }) => type },
                { id: 'values', title: 'Values', cell: (property) => describeValues(property) },
                {
                  id: 'usage',
                  title: 'Usage',
                  cell: ({ hasUsage }) => (hasUsage ? 'in targets or audiences' : 'not used yet')
                },
                { id: 'actions', title: 'Actions', align: 'end', cell: actions }
              ]}
            />
          )
        }
      </Loaded>
      {open?.type === 'edit' && (
        <PropertyDialog {...(open.property ? { property: open.property } : {})} onClose={() => setOpen(undefined)} />
      )}
      {open?.type === 'delete' && <DeletePropertyDialog property={open.property} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

/** The first allowed values, and how many more there are. */
function describeValues({ schema }: CustomProperty) {
  const allowed = schema?.enumSchema?.allowedValues ?? []
  if (schema?.schemaType !== 'enum' || allowed.length === 0) return 'any'
  const first = allowed.slice(0, 3).map(({ label, value }) => (label || String(value)).slice(0, 40))
  const rest = allowed.length - first.length
  const others = schema.enumSchema?.allowAdditionalValues ? ', others too' : ''
  return `${first.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}${others}`
}
