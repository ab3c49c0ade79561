/** The ids of the targets of `configuration`. */
export const ids = ['65f0c0ffee0123456789abc1', '65f0c0ffee0123456789abc2'] as const

/** A configuration with a scheduled split for Canadians and a target for users who opted in. */
export const configuration = {
  status: 'active' as const,
  targets: [
    {
      _id: ids[0],
      name: 'Canada',
      audience: {
        filters: { operator: 'and', filters: [{ type: 'user', subType: 'country', comparator: '=', values: ['CA'] }] }
      },
      rollout: { type: 'schedule' as const, startDate: '2026-03-01T12:00:00.000Z' },
      distribution: [
        { _variation: 'on', percentage: 1 / 3 },
        { _variation: 'off', percentage: 2 / 3 }
      ]
    },
    {
      _id: ids[1],
      audience: { filters: { operator: 'and', filters: [{ type: 'optIn' }] } },
      distribution: [{ _variation: 'on', percentage: 1 }],
      bucketingKey: 'company'
    }
  ]
}
