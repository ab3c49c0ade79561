import type { Environment } from '@burgee/contract/schemas'
import { issueIn } from '../../../api/issues.ts'
import { SelectField, TextField } from '../../../components/Field.tsx'
import { type BulkAction, type BulkInput, EVERYWHERE } from './bulkActions.ts'

interface Props {
  readonly action: BulkAction
  readonly input: BulkInput
  readonly onChange: (members: Partial<BulkInput>) => void
  readonly environments: readonly Environment[]
  readonly error: Error | null
}

/** The fields of an action: tags or an environment. */
export function BulkFields({ action, input, onChange, environments, error }: Props) {
  if (action === 'archive') return null
  if (action === 'tag') {
    return (
      <>
        <SelectField
          label="Action"
          value={input.tagAction}
          options={[
            { value: 'addTags', label: 'Add tags' },
            { value: 'removeTags', label: 'Remove tags' }
          ]}
          onChange={(tagAction) => onChange({ tagAction })}
        />
        <TextField
          label="Tags"
          hint="Separate tags by commas."
          value={input.tags}
          onChange={(tags) => onChange({ tags })}
          error={issueIn(error, 'tags')}
          autoFocus
        />
      </>
    )
  }
  const everywhere = { value: EVERYWHERE, label: 'All environments, at once' }
  return (
    <SelectField
      label="Environment"
      value={input.environment}
      options={[
        ...environments.map(({ key, name }) => ({ value: key, label: name })),
        ...(action === 'disable' ? [everywhere] : [])
      ]}
      onChange={(environment) => onChange({ environment })}
    />
  )
}
