import { useRead } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { useMissingPermission } from '../../../components/access/useMissingPermission.ts'
import { Page } from '../../../components/Page.tsx'
import { Empty, Loaded, Skeleton } from '../../../components/States.tsx'
import { OrganizationTabs } from '../../../shell/OrganizationTabs.tsx'
import { AccessGroup } from './AccessGroup.tsx'
import { SecondFactorGroup } from './SecondFactorGroup.tsx'
import { SigningKeys } from './SigningKeys.tsx'

/** How the organization grants permissions, what sign-in requires, and the key of its tokens. */
export function OrganizationGeneralPage() {
  const { organization } = useSession()
  const cannotRead = useMissingPermission('organization:read:settings')
  const settings = useRead('getOrganizationSettings', {}, { enabled: cannotRead === undefined })
  return (
    <Page title={organization.display_name || 'Organization'} tabs={<OrganizationTabs />}>
      {cannotRead === undefined ? (
        <Loaded query={settings} title="The settings could not be loaded" skeleton={<Skeleton rows={4} height={80} />}>
          {(loaded) => (
            <>
              <AccessGroup settings={loaded} />
              <SecondFactorGroup settings={loaded} />
              <SigningKeys />
            </>
          )}
        </Loaded>
      ) : (
        <Empty title={`This page ${cannotRead}.`} />
      )}
    </Page>
  )
}
