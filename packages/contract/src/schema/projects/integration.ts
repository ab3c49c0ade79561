import { z } from 'zod'
import { HttpUrl, Id } from '../common/fields.ts'
import { ProjectReference } from '../common/references.ts'
import { ids, observabilityIntegration, project } from '../examples/shop.ts'
import { Project } from './project.ts'

/** The name of an issue tracker, in paths. */
export const IssueTracker = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => name !== 'observability', 'should be an issue tracker; observability has addresses of its own')
  .meta({ description: 'Name of the issue tracker.', example: 'jira' })

/** Everyone who can read a connected project sees the URL. */
const PublicUrl = HttpUrl.refine((text) => !/^\w+:\/\/[^/?#]*@/.test(text), {
  error: 'should not contain a user or a password'
})

/** The body that connects an organization to an issue tracker. */
export const IssueTrackerOrganization = z
  .strictObject({ baseUrl: PublicUrl.meta({ description: 'The URL of the issue tracker, for browsers.' }) })
  .meta({ id: 'IssueTrackerOrganization', example: { baseUrl: 'https://issues.example.com' } })
export type IssueTrackerOrganization = z.infer<typeof IssueTrackerOrganization>

/** The body that connects a project to an issue tracker. */
export const IssueTrackerProject = IssueTrackerOrganization.extend({ project: ProjectReference }).meta({
  id: 'IssueTrackerProject',
  example: { baseUrl: 'https://issues.example.com', project: 'demo' }
})
export type IssueTrackerProject = z.infer<typeof IssueTrackerProject>

/** A connection to an issue tracker. */
export const IssueTrackerConnection = z
  .object({
    issue_tracker: z.string().meta({ description: 'Name of the issue tracker.' }),
    token: z.string().meta({ description: 'Masked.' }),
    baseUrl: z.string().meta({ description: 'The URL of the issue tracker, for browsers.' }),
    _project: Id.exactOptional().meta({ description: 'The connected project. Absent if it is the organization.' })
  })
  .meta({
    id: 'IssueTrackerConnection',
    example: { issue_tracker: 'jira', token: '****9f3a', baseUrl: 'https://issues.example.com', _project: ids.project }
  })
export type IssueTrackerConnection = z.infer<typeof IssueTrackerConnection>

/** The connection to an environment of an observability system. */
export const ObservabilityIntegration = z
  .strictObject({
    observabilityEnvironmentId: z
      .string()
      .min(1)
      .max(200)
      .meta({ description: 'The id by which projects refer to the system.', example: 'abc12345' }),
    // It is sent in a header, whose value allows no other characters.
    accessToken: z
      .string()
      .min(1)
      .max(2048)
      .regex(/^[ -~]*$/, 'should consist of printable ASCII characters')
      .meta({ description: 'The access token of the system.' }),
    environmentUrl: HttpUrl.regex(/^[^?#]*$/, 'should have no query and no fragment').meta({
      description: 'The URL of the system. Changes are posted to `/api/v2/events/ingest` below it.'
    })
  })
  .meta({
    id: 'ObservabilityIntegration',
    example: { ...observabilityIntegration, accessToken: 'a token of that system' }
  })
export type ObservabilityIntegration = z.infer<typeof ObservabilityIntegration>

/** The observability environments of the organization. */
export const ObservabilityIntegrations = z
  .object({
    environments: z.array(
      z.object({
        ...ObservabilityIntegration.shape,
        accessToken: z.string().meta({ description: 'Masked.' }),
        environmentUrl: HttpUrl,
        projects: z.array(Project).meta({ description: 'The projects that report to this environment.' })
      })
    )
  })
  .meta({
    id: 'ObservabilityIntegrations',
    example: { environments: [{ ...observabilityIntegration, accessToken: '****stem', projects: [project] }] }
  })
export type ObservabilityIntegrations = z.infer<typeof ObservabilityIntegrations>

/** An issue of the issue tracker that a feature is linked to. */
export const Issue = z
  .object({
    issueId: z
      .string()
      .min(1)
      .max(100)
      .meta({ description: 'The key of the issue in the issue tracker.', example: 'SHOP-42' })
  })
  .meta({ id: 'Issue', example: { issueId: 'SHOP-42' } })
export type Issue = z.infer<typeof Issue>

/** The body that links a feature to an issue. */
export const LinkIssue = Issue.strict().meta({ id: 'LinkIssue', example: { issueId: 'SHOP-42' } })
export type LinkIssue = z.infer<typeof LinkIssue>
