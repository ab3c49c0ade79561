import { z } from 'zod'
import { DateTime, Id, UserReference } from '../common/fields.ts'
import { admin, createdAt, project } from '../examples/shop.ts'
import { Actor } from './audit.ts'
import { Organization } from './organization.ts'
import { PermissionModeName, PermissionName } from './roleGrant.ts'

/** What a person or client may do. */
export const GrantedPermissions = z
  .object({
    organization: z.array(PermissionName).meta({
      description: 'In the organization itself, for example to create projects.'
    }),
    projects: z.record(z.string(), z.array(PermissionName)).meta({
      description: 'By key, in the projects that both the holder and the caller can read.'
    })
  })
  .meta({
    id: 'GrantedPermissions',
    example: {
      organization: ['organization:read:settings'],
      projects: { shop: ['project:read', 'feature:read'] }
    }
  })
export type GrantedPermissions = z.infer<typeof GrantedPermissions>

/** The identity and permissions of the caller, and facts about the server. */
export const Session = z
  .object({
    user: z
      .object({
        id: UserReference,
        name: z.string(),
        email: z.string().exactOptional().meta({ description: 'Absent for API clients and CI jobs.' })
      })
      .meta({ description: 'The holder of the token.' }),
    actor: Actor,
    clientId: z.string().exactOptional().meta({ description: 'The client that acts, for itself or for a person.' }),
    organization: Organization,
    mode: PermissionModeName,
    permissions: GrantedPermissions.meta({
      description: 'The permissions of the caller within the limits of the token.'
    }),
    environments: z.array(Id).exactOptional().meta({
      description: 'Ids of the only environments that the caller can change. Absent: all, as far as permitted.'
    }),
    expiresAt: DateTime.exactOptional().meta({ description: 'When the token expires.' }),
    server: z.object({
      version: z.string(),
      isDemo: z.boolean().meta({ description: 'Whether the server set up the demo project.' }),
      publicUrl: z.string().exactOptional().meta({
        description: 'The address at which other hosts reach the server. Absent if unknown.'
      }),
      isToolServer: z.boolean().meta({ description: 'Whether assistants can connect at `/mcp`.' }),
      signInName: z.string().exactOptional().meta({
        description: 'The name of the identity provider. Absent without one.'
      })
    })
  })
  .meta({
    id: 'Session',
    example: {
      user: { id: admin, name: 'burgee-admin' },
      actor: 'client',
      clientId: 'burgee-admin',
      organization: { id: project._organization, name: 'burgee', display_name: 'Burgee' },
      mode: 'full',
      permissions: {
        organization: ['organization:read:settings'],
        projects: { shop: ['project:read', 'feature:read'] }
      },
      expiresAt: createdAt,
      server: { version: '0.1.0', isDemo: false, publicUrl: 'https://flags.example.com', isToolServer: false }
    }
  })
export type Session = z.infer<typeof Session>
