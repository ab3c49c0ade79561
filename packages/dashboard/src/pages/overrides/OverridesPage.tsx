import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { SelectField } from '../../components/Field.tsx'
import { Page } from '../../components/Page.tsx'
import { Empty, Loaded, Skeleton } from '../../components/States.tsx'
import { lastProject } from '../../preferences/preferences.ts'
import { OverrideSection } from './OverrideSection.tsx'
import styles from './Overrides.module.css'
import { ProfileForm } from './ProfileForm.tsx'

/** Who the person is in the applications of a project, and the variations that they get there regardless of targets. */
export function OverridesPage() {
  const { org = '' } = useParams({ strict: false })
  const { project: wanted } = useSearch({ strict: false })
  const navigate = useNavigate()
  const projects = useRead('listProjects', { query: { perPage: 1000 } })
  const choose = (project: string) =>
    void navigate({ to: '.', search: (previous: object) => ({ ...previous, project }), replace: true })
  return (
    <Page title="Self-targeting" width="form">
      <p className={styles.intro}>
        Try a variation yourself: enter your user ID in your applications, and choose the variations that you get. No
        other user is affected.
      </p>
      <Loaded query={projects} title="Projects could not be loaded">
        {(rows) => {
          const find = (reference: string | undefined) =>
            rows.find(({ _id, key }) => key === reference || _id === reference)
          const project = find(wanted) ?? find(lastProject()) ?? rows[0]
          if (!project) return <Empty title="You have no access to a project yet." />
          return (
            <>
              {rows.length > 1 && (
                <SelectField
                  label="Project"
                  value={project.key}
                  options={rows.map(({ key, name }) => ({ value: key, label: name }))}
                  onChange={choose}
                />
              )}
              <ProjectOverrides key={project.key} org={org} project={project.key} name={project.name} />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

interface Props {
  readonly org: string
  readonly project: string
  readonly name: string
}

function ProjectOverrides({ org, project, name }: Props) {
  const profile = useRead('getUserProfile', { params: { project } })
  const overrides = useRead('listCurrentOverrides', { params: { project } })
  return (
    <Loaded query={profile} title="Your profile could not be loaded" skeleton={<Skeleton rows={2} height={72} />}>
      {({ svcUserId }) => (
        <>
          <ProfileForm
            key={svcUserId ?? ''}
            project={project}
            projectName={name}
            userId={svcUserId}
            overrides={overrides.data?.length ?? 0}
          />
          <Loaded query={overrides} title="Your overrides could not be loaded">
            {(rows) => <OverrideSection org={org} project={project} userId={svcUserId} overrides={rows} />}
          </Loaded>
        </>
      )}
    </Loaded>
  )
}
