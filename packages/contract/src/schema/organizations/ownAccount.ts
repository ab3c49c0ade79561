import { z } from 'zod'
import { permissions } from '../../access/permission.ts'
import { DateTime, Id } from '../common/fields.ts'
import { createdAt, ids } from '../examples/shop.ts'

/** A login session of the caller in a browser. */
export const LoginSession = z
  .object({
    _id: Id,
    signedInAt: DateTime,
    lastUsedAt: DateTime,
    expiresAt: DateTime,
    isCurrent: z.boolean().meta({ description: 'Whether this request comes from this session.' }),
    applications: z.array(z.string()).meta({ description: 'Client ids of the applications signed in to.' })
  })
  .meta({
    id: 'LoginSession',
    example: {
      _id: ids.user,
      signedInAt: createdAt,
      lastUsedAt: createdAt,
      expiresAt: createdAt,
      isCurrent: true,
      applications: ['dashboard']
    }
  })
export type LoginSession = z.infer<typeof LoginSession>

/** An application that the caller allowed to act for them. */
export const AllowedApplication = z
  .object({
    clientId: z.string(),
    name: z.string(),
    isAssistant: z.boolean(),
    isDynamic: z.boolean().meta({ description: 'Whether the application registered itself. Its name is unverified.' }),
    permissions: z
      .array(z.enum(permissions))
      .exactOptional()
      .meta({ description: 'The allowed permissions. Absent if the application has all permissions of the user.' }),
    allowedAt: DateTime,
    lastUsedAt: DateTime.meta({ description: 'The last sign-in or refresh.' })
  })
  .meta({
    id: 'AllowedApplication',
    example: {
      clientId: 'dashboard',
      name: 'Dashboard',
      isAssistant: false,
      isDynamic: false,
      allowedAt: createdAt,
      lastUsedAt: createdAt
    }
  })
export type AllowedApplication = z.infer<typeof AllowedApplication>
