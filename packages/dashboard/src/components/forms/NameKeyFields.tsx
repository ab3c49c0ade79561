import { useState } from 'react'
import { useIssueAt } from '../../api/useIssueAt.ts'
import { TextField } from '../Field.tsx'
import { KEY_CHARACTERS, toKey } from './toKey.ts'

interface NameKey {
  readonly name: string
  readonly key: string
  readonly setName: (name: string) => void
  readonly setKey: (key: string) => void
}

/** The name and key of a new resource. The key follows the name until it is typed. */
export function useNameKey(): NameKey {
  const [name, setName] = useState('')
  const [key, setKey] = useState<string>()
  return { name, key: key ?? toKey(name), setName, setKey }
}

interface Props {
  readonly value: NameKey
  /** What the key identifies, for example "project". */
  readonly resource: string
  readonly error: Error | null
}

/** The fields for the name and key of a new resource. */
export function NameKeyFields({ value: { name, key, setName, setKey }, resource, error }: Props) {
  const nameIssue = useIssueAt(error, 'name', name)
  const keyIssue = useIssueAt(error, 'key', key)
  return (
    <>
      <TextField label="Name" value={name} onChange={setName} error={nameIssue} autoFocus />
      <TextField
        label="Key"
        value={key}
        onChange={setKey}
        isCode
        hint={`Identifies the ${resource} in the API: ${KEY_CHARACTERS}`}
        error={keyIssue}
      />
    </>
  )
}
