/**
 * The texts of one language. Each function returns a whole clause or sentence, so a language can order and inflect it.
 * Values, names, dates and percentages arrive formatted.
 */
export type Messages = typeof english

/** The words of comparators, by their names in the API. */
const comparators = {
  '=': 'is',
  '!=': 'is not',
  '>': '>',
  '>=': '≥',
  '<': '<',
  '<=': '≤',
  contain: 'contains',
  '!contain': 'does not contain',
  startWith: 'starts with',
  '!startWith': 'does not start with',
  endWith: 'ends with',
  '!endWith': 'does not end with',
  exist: 'exists',
  '!exist': 'does not exist'
} as const

/** A comparator of the API. */
export type Comparator = keyof typeof comparators

/** Whether there is a text for a comparator. */
export function isComparator(value: unknown): value is Comparator {
  return typeof value === 'string' && Object.hasOwn(comparators, value)
}

const properties = {
  user_id: 'user ID',
  email: 'email',
  country: 'country',
  platform: 'platform',
  deviceModel: 'device model',
  appVersion: 'app version',
  platformVersion: 'platform version'
} as const

/** A property of users, other than custom properties. */
export type UserProperty = keyof typeof properties

/** The properties of users that filters select by, other than custom properties, in the order of forms. */
export const userProperties: readonly UserProperty[] =
  // The keys are those of the type.
  /* @__PURE__ */ Object.keys(properties) as UserProperty[]

/** Whether there is a text for a property. */
export function isUserProperty(value: unknown): value is UserProperty {
  return typeof value === 'string' && Object.hasOwn(properties, value)
}

/** What the users of a target get, and how many of them. */
export interface TargetWords {
  /** The condition; absent if all users match. */
  readonly condition?: string
  /** Whether no user can match, as without any condition. */
  readonly matchesNobody: boolean
  readonly serves:
    | { readonly type: 'one'; readonly variation: string }
    | { readonly type: 'split'; readonly shares: readonly { readonly share: string; readonly variation: string }[] }
  readonly admission:
    | { readonly type: 'all' }
    | { readonly type: 'from'; readonly date: string }
    | { readonly type: 'never' }
    | {
        readonly type: 'share'
        readonly share: string
        readonly end?: {
          readonly trend: 'rising' | 'falling' | 'changing'
          /** Whether the share changes at once, on the date. */
          readonly isStep?: boolean
          readonly share: string
          readonly date: string
        }
      }
  /** Whether targets precede it, so that it concerns the users whom these do not serve. */
  readonly isLater: boolean
  /** What users outside the rollout get: the next target that matches, or the defaults of the code. */
  readonly others: 'next' | 'defaults'
  /** Whether no target follows, so that users who do not match get the defaults of the code. */
  readonly isLast: boolean
  readonly and: (items: readonly string[]) => string
}

function serve({ serves, and }: TargetWords): string {
  if (serves.type === 'one') return `get ${serves.variation}`
  return and(serves.shares.map(({ share, variation }) => `${share} get ${variation}`))
}

const others = {
  next: 'everyone else falls through to the next target',
  defaults: 'everyone else gets the default values'
} as const

const notServed = (reason: string): string => `${reason}: applications use their default values.`

/** The English texts. */
export const english = {
  property: (property: UserProperty): string => properties[property],
  existence: (p: { property: string; comparator: 'exist' | '!exist' }): string =>
    `${p.property} ${comparators[p.comparator]}`,
  comparison: (p: { property: string; comparator: Comparator; values: string }): string =>
    `${p.property} ${comparators[p.comparator]} ${p.values}`,
  moreValues: (count: string): string => `${count} more`,
  everyone: (): string => 'everyone',
  inAudience: (audiences: string): string => `audience is ${audiences}`,
  notInAudience: (audiences: string): string => `audience is not ${audiences}`,
  optedIn: (): string => 'opted in',
  nobody: (): string => 'no user',
  noValues: (): string => '(no value yet)',
  allOf: (p: { conditions: readonly string[]; and: (items: readonly string[]) => string }): string =>
    p.and(p.conditions),
  anyOf: (p: { conditions: readonly string[]; or: (items: readonly string[]) => string }): string => p.or(p.conditions),
  group: (condition: string): string => `(${condition})`,
  target: (p: TargetWords): string => {
    if (p.matchesNobody) return 'No user matches: the target has no condition.'
    const isOne = p.serves.type === 'one'
    const users =
      p.condition === undefined ? (p.isLater ? 'all other users' : 'all users') : `users where ${p.condition}`
    const { admission } = p
    if (admission.type === 'never') return `Of ${users}, nobody is included; ${others[p.others]}.`
    if (admission.type === 'from')
      return `From ${admission.date} on, ${isOne ? `${users} ${serve(p)}` : `of ${users}, ${serve(p)}`}; until then, ${others[p.others]}.`
    if (admission.type === 'all') {
      const rest = p.condition !== undefined && p.isLast ? `; ${others.defaults}` : ''
      if (!isOne) return `Of ${users}, ${serve(p)}${rest}.`
      return p.condition === undefined
        ? `Everyone${p.isLater ? ' else' : ''} ${serve(p).replace(/^get /, 'gets ')}.`
        : `Users where ${p.condition} ${serve(p)}${rest}.`
    }
    const { share, end } = admission
    const movement = end ? `, ${end.trend} to ${end.share} ${end.isStep ? 'on' : 'by'} ${end.date}` : ''
    return `Of ${users}, ${share} are included now${movement}; ${isOne ? 'they' : 'of those,'} ${serve(p)}; ${others[p.others]}.`
  },
  servesNothing: (): string => 'This target serves no variation.',
  configurationOff: (): string => notServed('Off'),
  configurationKilled: (): string => notServed('Killed'),
  configurationComplete: (variation = 'the same variation'): string => `Complete: everyone gets ${variation}.`,
  featureArchived: (): string => notServed('Archived'),
  configurationEmpty: (): string => notServed('On, but without targets'),
  changeStatus: (p: { isOn: boolean }): string => (p.isOn ? 'Turned on.' : 'Turned off.'),
  changeAdded: (p: { position: string; name: string; target: string }): string =>
    `Added target ${p.position}, ${p.name}. ${p.target}`,
  changeRemoved: (p: { position: string; name: string }): string => `Removed target ${p.position}, ${p.name}.`,
  changeMoved: (p: { name: string; from: string; to: string }): string =>
    `Moved target ${p.name} from position ${p.from} to ${p.to}.`,
  changeTarget: (p: { name: string; before: string; after: string }): string =>
    `Changed target ${p.name}. Before: ${p.before} After: ${p.after}`,
  changeDetails: (name: string): string => `Changed name, values or bucketing key of target ${name}.`,
  rolloutStage: (p: { share: string; date: string; isLinear?: boolean }): string =>
    `${p.share} ${p.isLinear ? 'by' : 'from'} ${p.date}`,
  unnamedTarget: (): string => 'without a name',
  warning: {
    neverReached: (p: { by: string }): string => `No user reaches this target: target ${p.by} serves them all.`,
    duplicateCondition: (): string => 'This condition is a duplicate.',
    contradiction: (): string => 'This condition contradicts another condition.',
    everyoneInAny: (): string => '“Everyone” makes the other conditions redundant.',
    emptyAudience: (p: { audience: string }): string => `No user of the sample is in audience ${p.audience}.`,
    missingValue: (p: { variation: string; variables: string }): string =>
      `Variation ${p.variation} has no value for ${p.variables}, which other variations have.`
  }
}
