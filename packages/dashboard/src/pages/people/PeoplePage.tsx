import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useReadPage } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { CreateButton } from '../../components/CreateButton.tsx'
import { TextField } from '../../components/Field.tsx'
import { Page } from '../../components/Page.tsx'
import { Empty, Loaded } from '../../components/States.tsx'
import { OrganizationTabs } from '../../shell/OrganizationTabs.tsx'
import { AddPersonDialog } from './AddPersonDialog.tsx'
import { ModeNotice } from './ModeNotice.tsx'
import styles from './People.module.css'
import { PeopleTable } from './PeopleTable.tsx'

const PER_PAGE = 50

/** The people of the organization, with their roles and how they sign in. */
export function PeoplePage() {
  const [isAdding, setAdding] = useState(false)
  const cannotRead = useMissingPermission('organization:read:members')
  const reason = useMissingPermission('organization:write:settings')
  return (
    <Page
      title="People"
      tabs={<OrganizationTabs />}
      actions={
        <CreateButton onClick={() => setAdding(true)} reason={reason}>
          Add a person
        </CreateButton>
      }
    >
      <ModeNotice />
      {cannotRead === undefined ? <People /> : <Empty title={`This page ${cannotRead}.`} />}
      {isAdding && <AddPersonDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}

function People() {
  const { org = '' } = useParams({ strict: false })
  // Names and addresses of people are personal data, so they are not part of the URL.
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const wanted = search.trim()
  const users = useReadPage('listUsers', {
    query: { page, perPage: PER_PAGE, sortBy: 'name', sortOrder: 'asc', ...(wanted === '' ? {} : { search: wanted }) }
  })
  const find = (text: string) => {
    setSearch(text)
    setPage(1)
  }
  return (
    <>
      <div className={styles.filters}>
        <TextField
          label="Search people"
          isLabelHidden
          type="search"
          value={search}
          placeholder="Search name or e-mail address"
          onChange={find}
          maxLength={200}
        />
        <p role="status">
          {users.data && (users.data.count === 1 ? '1 person' : `${users.data.count.toLocaleString('en')} people`)}
        </p>
        <Link to="/o/$org/settings/roles" params={{ org }} className={styles.after}>
          Permissions of roles
        </Link>
      </div>
      <Loaded query={users} title="People could not be loaded">
        {({ items, count }) =>
          items.length === 0 ? (
            <Empty title="No person matches." action={<Button onClick={() => find('')}>Clear search</Button>} />
          ) : (
            <>
              <PeopleTable people={items} />
              {count > PER_PAGE && (
                <nav aria-label="Pages of people" className={styles.pages}>
                  <Button onClick={() => setPage(page - 1)} reason={page === 1 ? 'this is the first page' : undefined}>
                    ← Previous
                  </Button>
                  <span>
                    {page} of {Math.ceil(count / PER_PAGE)}
                  </span>
                  <Button
                    onClick={() => setPage(page + 1)}
                    reason={page * PER_PAGE >= count ? 'this is the last page' : undefined}
                  >
                    Next →
                  </Button>
                </nav>
              )}
            </>
          )
        }
      </Loaded>
    </>
  )
}
