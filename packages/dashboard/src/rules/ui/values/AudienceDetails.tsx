import { condition } from '@burgee/contract/words'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../../api/query.ts'
import { useEnvironment } from '../../../api/useEnvironment.ts'
import { useMissingPermission } from '../../../components/access/useMissingPermission.ts'
import styles from '../Conditions.module.css'
import { type AudienceChoice, useTree } from '../TreeContext.ts'

/** The audiences of a condition, each with its own conditions and its size on request. */
export function AudienceDetails({ values }: { readonly values: readonly unknown[] }) {
  const { audiences } = useTree()
  const chosen = audiences.filter(({ _id, key }) => values.includes(_id) || values.includes(key))
  return (
    chosen.length > 0 && (
      <div className={styles.audiences}>
        {chosen.map((audience) => (
          <AudienceDisclosure key={audience._id} audience={audience} />
        ))}
      </div>
    )
  )
}

function AudienceDisclosure({ audience }: { readonly audience: AudienceChoice }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Who is in <bdi>{audience.name}</bdi>
      </summary>
      {isOpen && <Conditions audience={audience} />}
    </details>
  )
}

function Conditions({ audience }: { readonly audience: AudienceChoice }) {
  const { org = '', project = '' } = useParams({ strict: false })
  const { audiences, customProperties } = useTree()
  const { environment } = useEnvironment(project)
  const cannotPreview = useMissingPermission('audience:write', project)
  const { data: preview } = useRead(
    'previewAudience',
    {
      params: { project },
      body: { filters: audience.filters, environment: environment?.key ?? '', audience: audience._id }
    },
    { enabled: cannotPreview === undefined && environment !== undefined }
  )
  const words = condition(audience.filters, {
    now: Date.now(),
    audiences: new Map(audiences.flatMap(({ _id, key, name }) => [[_id, name] as const, [key, name] as const])),
    customProperties: new Map(customProperties.map(({ propertyKey, name }) => [propertyKey, name]))
  })
  return (
    <p>
      <bdi>{words}</bdi>.{' '}
      {preview?.source === 'recent' && (
        <>
          Matches {preview.matched.count.toLocaleString('en')} of {preview.sampleSize.toLocaleString('en')} recent users
          of <bdi>{environment?.name}</bdi>.{' '}
        </>
      )}
      <Link
        to="/o/$org/p/$project/audiences/$audience"
        params={{ org, project, audience: audience.key ?? audience._id }}
      >
        Open the audience
      </Link>
    </p>
  )
}
