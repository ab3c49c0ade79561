import type { SampleUser } from '@burgee/contract/schemas'
import { useEffect, useState } from 'react'
import { useRead } from '../../api/query.ts'
import { Dialog } from '../../components/Dialog.tsx'
import type { FormUser } from '../../components/explanation/parseUser.ts'
import { TextField } from '../../components/Field.tsx'
import { Empty, Loaded } from '../../components/States.tsx'
import styles from './Explain.module.css'

interface Props {
  readonly project: string
  readonly environment: string | undefined
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onPick: (user: FormUser) => void
}

/** The users whom the server evaluated lately. */
export function PickUserDialog({ project, environment, isOpen, onClose, onPick }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Recent users">
      {environment !== undefined && <RecentUsers project={project} environment={environment} onPick={onPick} />}
    </Dialog>
  )
}

function RecentUsers({ project, environment, onPick }: Pick<Props, 'project' | 'onPick'> & { environment: string }) {
  const [text, setText] = useState('')
  const search = useSettled(text.trim().slice(0, 100))
  const users = useRead('listSampleUsers', {
    params: { project, key: environment },
    query: search === '' ? {} : { search }
  })
  return (
    <div className={styles.picker}>
      <TextField
        label="Search user ID, email or name"
        type="search"
        value={text}
        onChange={setText}
        autoFocus
        maxLength={100}
      />
      <Loaded query={users} title="Recent users could not be loaded">
        {(found) => (found.length === 0 ? <NoUsers search={search} /> : <UserList users={found} onPick={onPick} />)}
      </Loaded>
    </div>
  )
}

function UserList({ users, onPick }: { readonly users: readonly SampleUser[]; readonly onPick: Props['onPick'] }) {
  return (
    <ul className={styles.people}>
      {users.map((user) => (
        <li key={user.user_id}>
          <button type="button" onClick={() => onPick(user)}>
            <code>{user.user_id}</code>
            <span>{describeUser(user)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function NoUsers({ search }: { readonly search: string }) {
  if (search !== '') return <p className={styles.soft}>No recent user matches “{search}”.</p>
  return (
    <Empty title="No users have been seen in this environment yet.">
      <p>
        The server remembers a sample of the users that it evaluates, until it restarts. It does not see users of SDKs
        that evaluate in your own servers.
      </p>
    </Empty>
  )
}

function describeUser({ email, name, country, platform, customData = {} }: SampleUser): string {
  const custom = Object.entries(customData).map(([key, value]) => `${key} ${String(value)}`)
  return [name, email, country, platform, ...custom].filter(Boolean).join(' · ')
}

/** The text once the typing has paused. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 250)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
