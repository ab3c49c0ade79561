import type { Audience, CustomProperty } from '@burgee/contract/schemas'
import type { DraftCodec } from '../../draft/draftState.ts'
import { conditionMessages } from '../../rules/conditionMessages.ts'
import { conditionsOf, emptyGroups, type FilterTree, nodeAtPath, toOperator, toTree } from '../../rules/tree.ts'
import type { NodeIssue } from '../../rules/ui/TreeContext.ts'

/** What the form of an audience changes. */
export interface AudienceVersion {
  readonly name: string
  readonly description: string
  readonly filters: Audience['filters']
}

export interface AudienceDraft {
  readonly name: string
  readonly description: string
  readonly tree: FilterTree
}

export const audienceCodec: DraftCodec<AudienceVersion, AudienceDraft> = {
  toDraft: ({ filters, ...rest }) => ({ ...rest, tree: toTree(filters) }),
  toApi: ({ tree, ...rest }) => ({ ...rest, filters: toOperator(tree) })
}

/** The version of an audience that the form begins with. */
export function audienceVersionOf({ name, description = '', filters }: Audience): AudienceVersion {
  return { name, description, filters }
}

interface Context {
  readonly customProperties: readonly CustomProperty[]
  /** Ids and keys of the audiences of the project. Without them, no audience is missing. */
  readonly audiences?: ReadonlySet<string>
}

/** The number of places in the conditions that the API would refuse. The controls show what is wrong there. */
export function countProblems(tree: FilterTree, context: Context): number {
  const conditions = conditionsOf(tree).filter(({ node }) =>
    conditionMessages(node, context).some(({ level }) => level === 'error')
  )
  return conditions.length + emptyGroups(tree).length
}

interface ServerIssue {
  readonly in: string
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** The problems that the server found, at the conditions they are about. */
export function treeIssues(tree: FilterTree, issues: readonly ServerIssue[]): readonly NodeIssue[] {
  return issues.flatMap(({ in: part, path, message }) => {
    if (part !== 'body' || path[0] !== 'filters') return []
    const { node, path: rest } = nodeAtPath(tree, path.slice(1))
    return [{ node, path: rest.map((segment) => (typeof segment === 'number' ? segment : String(segment))), message }]
  })
}
