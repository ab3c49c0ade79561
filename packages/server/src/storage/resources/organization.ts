import type { Permission, Role } from '@burgee/contract'
import type { ApiClient, OrganizationSettings, ScimToken, UserAccount } from '@burgee/contract/schemas'
import type { CreatedRecordFields, Of, RecordFields } from './recordFields.ts'

/** An organization, which owns projects, people and clients. */
export interface StoredOrganization extends RecordFields {
  /** `org_` followed by an id. */
  readonly key: string
  readonly name: string
  readonly displayName: string
  readonly settings: {
    readonly permissions: Omit<OrganizationSettings['permissions'], 'groups'> & {
      /** The roles that the groups of the identity provider grant. */
      readonly groups: readonly ({ readonly group: string } & StoredGrant)[]
    }
    /** Default: optional. */
    readonly secondFactor?: OrganizationSettings['secondFactor']
  }
  /** The key of the hashes of user ids in audit entries, made by the first erasure. */
  readonly userHashKey?: string
  /** The end of the hash chain of the audit log: the position and the hash of the last entry. */
  readonly auditHead?: { readonly position: number; readonly hash: string }
}

/** A granted role in a project, or in the organization if `_project` is absent. */
export interface StoredGrant {
  readonly role: Role
  readonly _project?: string
}

/** A person who can sign in. */
export interface StoredUser
  extends CreatedRecordFields,
    Of<UserAccount, 'name' | 'isDisabled' | 'mustChangePassword' | 'lastLoginAt'> {
  /** The subject in tokens and audit entries. */
  readonly userId: string
  /** In lower case. */
  readonly email: string
  readonly picture?: string
  readonly roles: readonly StoredGrant[]
  /** The hash of the password. Absent for people who sign in through the identity provider. */
  readonly passwordVerifier?: string
  /** Sessions and tokens from before this time are revoked. */
  readonly signedOutAt?: string
  /** The account at the identity provider. */
  readonly identity?: {
    readonly issuer: string
    readonly subject: string
    /** Another id at the provider, which provisioning sends as `externalId`: at Entra ID, the claim `oid`. */
    readonly objectId?: string
    /** Whether the provider had verified the e-mail address at the last login. */
    readonly isEmailVerified?: boolean
  }
  /** The account at the identity provider of a person whom SCIM deleted and created again, until one is linked. */
  readonly releasedIdentity?: StoredUser['identity'] & {}
  /**
   * The accounts at the identity provider whose link ended because SCIM assigned an `externalId` that is not theirs, or
   * because another one was linked. They are never linked by the e-mail address again.
   */
  readonly formerSubjects?: readonly {
    readonly issuer: string
    readonly subject: string
    readonly objectId?: string
  }[]
  /** Earlier values of `externalId`. The people whom they name are not linked by the e-mail address. */
  readonly formerExternalIds?: readonly string[]
  /** The groups that the identity provider sent at the last login. */
  readonly groups?: readonly string[]
  /** The attributes from SCIM. Present if SCIM manages the person. */
  readonly provisioning?: StoredProvisioning
  /** The `userName` of the SCIM client, in lower case. Absent from people whom SCIM deleted. */
  readonly provisionedName?: string
  /** The id of the person at the SCIM client. */
  readonly externalId?: string
  /** The names of the SCIM groups, once SCIM has added the person to a group. They replace `groups`. */
  readonly provisionedGroups?: readonly string[]
  /** Whether an administrator disabled a person whom SCIM manages. SCIM cannot enable the person again. */
  readonly isLocked?: boolean
  /** Key of the organization. */
  readonly _organization: string
}

/** The attributes of a person that SCIM stores. Their names are those of RFC 7643. */
export interface StoredProvisioning {
  readonly userName: string
  readonly name?: { readonly formatted?: string; readonly familyName?: string; readonly givenName?: string }
  readonly displayName?: string
  readonly emails?: readonly { readonly value?: string; readonly type?: string; readonly primary?: boolean }[]
  readonly active: boolean
  /** When SCIM deleted the person. */
  readonly deletedAt?: string
}

/** A SCIM group. People refer to their groups by name (`provisionedGroups`). */
export interface StoredScimGroup extends CreatedRecordFields {
  /** Unique in the organization. */
  readonly displayName: string
  readonly externalId?: string
  /** Key of the organization. */
  readonly _organization: string
}

/** The token of a SCIM client. */
export interface StoredScimToken extends CreatedRecordFields, Of<ScimToken, 'name' | 'expiresAt' | 'lastUsedAt'> {
  /** SHA-256 of the token. The token is not stored. */
  readonly tokenDigest: string
  /** The `expiresAt` of the last warning. */
  readonly warnedOf?: string
  /** Key of the organization. */
  readonly _organization: string
}

/** An OAuth client. It gets access tokens for itself by its secret, or for the people who sign in to it. */
export interface StoredClient
  extends CreatedRecordFields,
    Of<ApiClient, 'clientId' | 'name' | 'isAssistant' | 'isDynamic' | 'expiresAt'> {
  /** The hash of the secret, which itself is not stored. Absent for a public client. */
  readonly secretVerifier?: string
  /** Tokens from before this time are revoked. */
  readonly secretChangedAt?: string
  /** Everything issued to the client before this time is revoked, because consents no longer describe the client. */
  readonly signedOutAt?: string
  /** The roles of the client itself; full access if absent. */
  readonly roles?: readonly StoredGrant[]
  /** The maximum permissions, for itself and for people; unlimited if absent. */
  readonly permissions?: readonly Permission[]
  readonly redirectUris: readonly string[]
  /** The networks from which it may be used, normalized; all if absent. */
  readonly allowedNetworks?: readonly string[]
  /** The `expiresAt` of the last warning. */
  readonly warnedOf?: string
  /**
   * The person, or the client without a creator, that created the client or last replaced its secret (`findRoot`).
   * Absent from clients of earlier versions.
   */
  readonly _root?: string
  /**
   * Whether the caller that created the client or last replaced its secret had all permissions. Absent from clients of
   * earlier versions, and from those that the server created.
   */
  readonly isSecretPrivileged?: boolean
  /** Whether a dynamic client can use device codes: its metadata must say so. */
  readonly hasDeviceGrant?: boolean
  /** The network from which a dynamic client was registered, for limits. */
  readonly network?: string
  /** Key of the organization. */
  readonly _organization: string
}

/** The id of the OAuth client of the dashboard. */
export const DASHBOARD_CLIENT_ID = 'burgee-dashboard'

/** The id of the OAuth client of `burgee login`. */
export const COMMAND_LINE_CLIENT_ID = 'burgee-cli'

/** The model of the sessions of the dashboard, which are not those of `oidc-provider`. */
export const DASHBOARD_SESSION = 'DashboardSession'

/** State of the authorization server: a session, an authorization code, a refresh token, and so on. */
export interface StoredAuthorization extends RecordFields {
  /** The model of `oidc-provider`, for example `RefreshToken`, or one of the dashboard. */
  readonly model: string
  /** SHA-256 of the model and the bearer value, which is a secret. */
  readonly digest: string
  /** The members that `oidc-provider` stores. */
  readonly payload: Readonly<Record<string, unknown>>
  /** Epoch milliseconds. */
  readonly expiresAt?: number
  readonly grantId?: string
  /** A second identifier. That of a device code is the SHA-256 of its user code, which is a secret. */
  readonly uid?: string
  /** The network from which an interaction or device code was requested, for limits. */
  readonly network?: string
  /** The generations of the person and client in which it was issued, by subject. Absent from earlier versions. */
  readonly generations?: Readonly<Record<string, string>>
}

/** A login session that a person started through the identity provider. Ended sessions are kept without tokens. */
export interface StoredUpstreamSession extends RecordFields {
  readonly userId: string
  /** Key of the organization. */
  readonly _organization: string
  readonly issuer: string
  readonly subject: string
  /** The `sid` of the session at the provider, if it sent one. */
  readonly sid?: string
  /** The `uid` of the session in the browser, once the login has been completed. */
  readonly sessionUid?: string
  readonly providerTokens?: ProviderTokens
  /** When the claims were read last. ISO 8601. */
  readonly readAt: string
  readonly endedAt?: string
  /** When everything that was issued in the session has expired. Epoch milliseconds. */
  readonly expiresAt: number
}

/** The tokens that the identity provider issued to this server for a session. */
export interface ProviderTokens {
  readonly refreshToken?: string
  readonly accessToken?: string
  /** Epoch milliseconds. */
  readonly accessTokenExpiresAt?: number
  /** Whether only ID tokens contain the groups, not the userinfo endpoint. */
  readonly hasGroupsInIdTokenOnly?: boolean
}

/** A revocation of what is valid without being stored, or could be stored again by a request in progress. */
export interface StoredRevocation extends RecordFields {
  /**
   * A kind and an id: `token`, `grant` or `session`, `application` with the ids of a user and a client, or `logoutToken`
   * with a digest.
   */
  readonly subject: string
  /** Revokes what was issued up to this time; everything if absent. ISO 8601. */
  readonly until?: string
  /** When everything it revokes has expired. Epoch milliseconds. */
  readonly expiresAt: number
}

/** A key pair that signs access tokens. */
export interface StoredSigningKey extends RecordFields {
  readonly kid: string
  readonly algorithm: 'RS256'
  readonly privateJwk: Readonly<Record<string, unknown>>
  /** When another key replaced it for signing. It still verifies tokens from before. */
  readonly retiredAt?: string
}
