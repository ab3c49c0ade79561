import type { OrganizationSettings } from '@burgee/contract/schemas'
import { useRead } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import type { ProjectNames } from '../../../components/access/accessWords.ts'
import { ConfirmDialog } from '../../../components/Dialog.tsx'
import { Banner, ErrorBanner, Loaded, Skeleton } from '../../../components/States.tsx'
import { Table } from '../../../components/Table.tsx'
import { accessChanges, NO_ACCESS } from './accessChanges.ts'
import styles from './General.module.css'

type Permissions = OrganizationSettings['permissions']

interface Props {
  readonly before: Permissions
  readonly after: Permissions
  readonly projects: ProjectNames
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** What a change of access means for each person, before it is saved. */
export function AccessDialog({ before, after, projects, isBusy, error, onConfirm, onClose }: Props) {
  const { user } = useSession()
  const people = useRead('listUsers', { query: { perPage: 1000 } })
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Affected people"
      action="Save access"
      onConfirm={onConfirm}
      isBusy={isBusy}
      error={error && <ErrorBanner error={error} title="Not saved" />}
    >
      <Loaded query={people} title="The people could not be loaded" skeleton={<Skeleton rows={3} />}>
        {(rows) => {
          const changes = accessChanges(rows, before, after, projects)
          if (changes.length === 0) return <p>No person’s access changes now.</p>
          const own = changes.find(({ id }) => id === user.id)
          return (
            <>
              {own && own.after === NO_ACCESS && (
                <Banner tone="danger">You would lose your own access. Give yourself a role first.</Banner>
              )}
              <div className={styles.people}>
                <Table
                  label="People whose access changes"
                  rows={changes}
                  rowKey={({ id }) => id}
                  columns={[
                    { id: 'name', title: 'Person', cell: ({ name }) => <bdi>{name}</bdi> },
                    { id: 'before', title: 'Before', cell: (row) => row.before },
                    {
                      id: 'after',
                      title: 'After',
                      cell: (row) => (row.after === NO_ACCESS ? <strong>{NO_ACCESS}</strong> : row.after)
                    }
                  ]}
                />
              </div>
              <p className={styles.soft}>
                Removed roles take effect with the next request of a person, added roles at the next sign-in.
              </p>
            </>
          )
        }}
      </Loaded>
    </ConfirmDialog>
  )
}
