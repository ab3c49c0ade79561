import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import { FeatureReference, ProjectReference } from '../../schema/common/references.ts'
import { CodeScan, CodeUsage, UpdateCodeUsages } from '../../schema/projects/codeUsage.ts'
import { accessWithBody, accessWithoutBody } from '../operationAccess.ts'

const tag = 'Code usages'
const params = z.object({ project: ProjectReference })
const { repo, branch } = UpdateCodeUsages.shape

/** Replace the code usages of a branch. */
export const updateCodeUsages = defineOperation({
  ...accessWithBody('variable:write', 404),
  tag,
  id: 'updateCodeUsages',
  summary: 'Replace the code usages of a branch',
  description:
    'Replaces what the same repository and branch had. At most 100 branches of a project are kept, the latest ones. Not in the audit log.',
  method: 'POST',
  path: '/v1/projects/{project}/codeUsages',
  params,
  body: UpdateCodeUsages,
  status: 200,
  response: CodeScan
})

/** List the code usages of variables. */
export const listCodeUsages = defineOperation({
  ...accessWithoutBody('variable:read', 404),
  tag,
  id: 'listCodeUsages',
  summary: 'List the code usages of variables',
  description: 'Ordered by repository, branch and key.',
  method: 'GET',
  path: '/v1/projects/{project}/codeUsages',
  params,
  query: Pagination.pick({ page: true, perPage: true }).extend({
    variable: z.string().min(1).max(200).optional().meta({ description: 'The key of a variable, as the code has it.' }),
    feature: FeatureReference.optional().meta({ description: 'Only variables of this feature.' }),
    repo: repo.optional(),
    branch: branch.optional(),
    current: z.stringbool().optional().meta({
      description:
        'Only the default branch of each repository; the latest branch of repositories without one. Default: false.'
    })
  }),
  status: 200,
  response: z.array(CodeUsage),
  responseKind: 'list'
})

/** Delete the code usages of a repository. */
export const deleteCodeUsages = defineOperation({
  ...accessWithoutBody('variable:write', 404),
  tag,
  id: 'deleteCodeUsages',
  summary: 'Delete the code usages of a repository, or of one branch',
  method: 'DELETE',
  path: '/v1/projects/{project}/codeUsages',
  params,
  query: z.object({ repo, branch: branch.optional() }),
  status: 200
})
