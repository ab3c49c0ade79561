import type { Project } from '@burgee/contract/schemas'
import { bodyIssues } from '../../../api/issues.ts'
import { useEnvironments } from '../../../api/useEnvironments.ts'
import { useProjects } from '../../../components/access/useProjectNames.ts'
import { CheckField } from '../../../components/Field.tsx'
import styles from './Trusts.module.css'
import type { TrustForm } from './trustForm.ts'

interface Props {
  readonly form: TrustForm
  readonly set: (edit: Partial<TrustForm>) => void
}

/** The projects and environments to which a trust is limited. */
export function ScopeFields({ form, set, error }: Props & { readonly error: Error | null }) {
  const projects = useProjects()
  const problem = bodyIssues(error).find(({ path }) => /^grants\.(projects|environments)/.test(path))?.message
  const chosen = projects.filter(({ _id }) => form.projects.includes(_id))
  return (
    <div className={styles.places}>
      <fieldset className={styles.group}>
        <legend>Projects</legend>
        {projects.map(({ _id, name }) => (
          <CheckField
            key={_id}
            label={<bdi>{name}</bdi>}
            isChecked={form.projects.includes(_id)}
            onChange={(isChosen) => set({ projects: toggled(form.projects, _id, isChosen) })}
          />
        ))}
        {problem && <p className={styles.error}>{problem}</p>}
      </fieldset>
      {chosen.length > 0 && (
        <fieldset className={styles.group}>
          <legend>Environments</legend>
          <p className={styles.soft}>The jobs can change only the chosen environments, or all if none is chosen.</p>
          {chosen.map((project) => (
            <EnvironmentFields key={project._id} project={project} form={form} set={set} />
          ))}
        </fieldset>
      )}
    </div>
  )
}

function EnvironmentFields({ project, form, set }: Props & { readonly project: Project }) {
  const environments = useEnvironments(project._id).data ?? []
  return environments.map(({ _id, name }) => (
    <CheckField
      key={_id}
      label={<bdi>{form.projects.length > 1 ? `${project.name}: ${name}` : name}</bdi>}
      isChecked={form.environments.includes(_id)}
      onChange={(isChosen) => set({ environments: toggled(form.environments, _id, isChosen) })}
    />
  ))
}

function toggled(ids: readonly string[], id: string, isChosen: boolean): readonly string[] {
  return isChosen ? [...ids, id] : ids.filter((other) => other !== id)
}
