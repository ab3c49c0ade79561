import { Link } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { CopyableKey } from '../../components/Copy.tsx'
import { Page } from '../../components/Page.tsx'
import { Loaded, Skeleton } from '../../components/States.tsx'
import { AudienceEditor } from './AudienceEditor.tsx'
import { DeleteAudienceDialog } from './DeleteAudienceDialog.tsx'
import { useAudience, useAudienceParams } from './useAudience.ts'

/** One audience: its conditions, how many users match, and what refers to it. */
export function AudiencePage() {
  const { org, project, key } = useAudienceParams()
  const query = useAudience()
  const audience = query.data
  return (
    <Page
      title={audience?.name ?? key}
      above={
        <Link to="/o/$org/p/$project/audiences" params={{ org, project }}>
          ← Audiences
        </Link>
      }
      beside={
        audience && (
          <>
            <CopyableKey value={audience.key} />
            {audience.readonly && <Badge tone="off">read only</Badge>}
          </>
        )
      }
      actions={audience && <DeleteButton />}
    >
      <Loaded query={query} title="The audience could not be loaded" skeleton={<Skeleton rows={4} height={96} />}>
        {(found) => <AudienceEditor key={found._id} audience={found} />}
      </Loaded>
    </Page>
  )
}

function DeleteButton() {
  const { project, key } = useAudienceParams()
  const [isDeleting, setDeleting] = useState(false)
  const cannotDelete = useMissingPermission('audience:delete', project)
  const usage = useRead('getAudienceUsage', { params: { project, key } })
  const isUsed = usage.data !== undefined && usage.data.features.length + usage.data.audiences.length > 0
  const reason = cannotDelete ?? (isUsed ? 'features or audiences refer to it' : undefined)
  return (
    <>
      <Button icon={<Trash2 size={16} aria-hidden="true" />} onClick={() => setDeleting(true)} reason={reason}>
        Delete…
      </Button>
      <DeleteAudienceDialog isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </>
  )
}
