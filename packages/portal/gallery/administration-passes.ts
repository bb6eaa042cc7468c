import type { PassList } from '@gatehouse/wire'
import { longest } from './administration-users.ts'

const prometheus = 'https://prometheus.example.com'
const times = { created: '2026-11-01T03:00:00Z', expires: '2026-12-01T03:00:00Z' }

/** Passes of two users and of a service. */
export const passList: PassList = {
  passes: [
    {
      ...times,
      passId: 'a',
      name: 'Nightly backup',
      to: [`${prometheus}/api/*`, 'https://grafana.example.com/api/*'],
      methods: [],
      from: ['10.0.0.0/8'],
      used: '2026-11-20T02:00:00Z',
      usedFrom: '10.0.0.5',
      user: { userId: 'u_1', userIdent: 'ada@example.com' },
    },
    {
      ...times,
      passId: 'l',
      name: 'Status page',
      to: [`${prometheus}/api/v1/query`],
      methods: ['GET', 'HEAD'],
      from: [],
      user: { userId: 'u_4', userIdent: 'grace@example.com' },
    },
    {
      ...times,
      passId: 's',
      name: 'Scraper',
      to: [`${prometheus}/metrics`],
      methods: ['GET'],
      from: ['10.0.0.7'],
      used: '2026-11-20T02:59:00Z',
      usedFrom: '10.0.0.7',
      service: 'prometheus',
    },
  ],
  after: '1795140067512 s',
  counts: { All: 1212, Users: 1190, Services: 22 },
  origins: [prometheus, 'https://grafana.example.com'],
  services: 22,
  most: 200,
}

/** A pass with the longest name, path, owner and IP addresses. */
export const longestPasses: PassList['passes'] = [
  {
    ...times,
    passId: 'l',
    name: 'A pass whose name is as long as names of passes may be, 64 chars',
    to: [`${prometheus}/a/path/that/has/many/segments/and/does/not/fit/into/a/column/*`, 'https://grafana.example.com/api/*'],
    methods: ['GET', 'HEAD'],
    from: ['10.0.0.0/8', '2001:db8::/32'],
    used: '2026-11-20T02:00:00Z',
    usedFrom: '2001:db8:85a3:8d3:1319:8a2e:370:7348',
    user: { userId: 'u_3', userIdent: longest },
  },
]

export const noPasses: Partial<PassList> = { passes: [], after: null, counts: { All: 0, Users: 0, Services: 0 }, origins: [], services: 0 }
