import { useState } from 'react'
import { useRead } from '../../../../api/query.ts'
import { SelectField, TextField } from '../../../../components/Field.tsx'
import styles from '../Results.module.css'
import type { ResultsSearch } from './resultsSearch.ts'
import type { ResultsSearchChange } from './useResultsSearch.ts'

interface FilterProps {
  readonly project: string
  readonly search: ResultsSearch
  readonly set: (change: ResultsSearchChange) => void
}

/** Which users are measured, and the difference that the number of needed users is about. */
export function Filters({ project, search: { sdk, platform = '', audience = '', effect = 10 }, set }: FilterProps) {
  const audiences = useRead('listAudiences', { params: { project }, query: { perPage: 1000 } }).data ?? []
  const chosen = [sdk, platform, audience].filter((value) => value !== undefined && value !== '').length
  return (
    <details className={styles.details} open={chosen > 0 || undefined}>
      <summary>{chosen === 0 ? 'Filter users' : `Filter users (${chosen} active)`}</summary>
      <div className={styles.choices}>
        <SelectField
          label="Source"
          value={sdk ?? ''}
          onChange={(value) => set({ sdk: value || undefined })}
          options={[
            { value: '', label: 'All' },
            { value: 'server', label: 'Server SDKs' },
            { value: 'client', label: 'Client SDKs' },
            { value: 'mobile', label: 'Mobile SDKs' },
            { value: 'api', label: 'Requests to this server' }
          ]}
        />
        <PlatformField key={platform} platform={platform} set={set} />
        <SelectField
          label="Audience"
          value={audience}
          onChange={(value) => set({ audience: value || undefined })}
          hint="When the users first got a variation"
          options={[
            { value: '', label: 'All users' },
            ...audiences.map(({ _id, key = _id, name }) => ({ value: key, label: name ?? key }))
          ]}
        />
        <SelectField
          label="Effect to detect"
          value={String(effect)}
          onChange={(value) => set({ effect: value === '10' ? undefined : Number(value) })}
          hint="For the number of users needed"
          options={[...new Set([1, 2, 5, 10, 20, 50, effect])].map((value) => ({
            value: String(value),
            label: `${value}% of the control`
          }))}
        />
      </div>
    </details>
  )
}

/** A platform as SDKs name it. Users are measured when the field is left, not at each letter. */
function PlatformField({ platform, set }: { readonly platform: string; readonly set: FilterProps['set'] }) {
  const [text, setText] = useState(platform)
  const commit = () => text.trim() !== platform && set({ platform: text.trim() || undefined })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        commit()
      }}
    >
      <TextField
        label="Platform"
        value={text}
        onChange={setText}
        onBlur={commit}
        maxLength={100}
        placeholder="such as web"
      />
    </form>
  )
}
