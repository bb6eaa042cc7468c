import type { PassHolders } from '@gatehouse/wire'

/** The texts of the section of passes. */
export const passWords = {
  title: 'Passes',
  titleOf: (owner: string) => `Passes of ${owner}`,
  titleOfGone: 'Passes of this owner',
  text: 'A pass lets a program reach protected applications without a browser. Users create theirs on the account page. Create passes for services here.',
  noRule: 'No rule admits passes, so no pass opens anything.',
  full: (most: number) => `Services have ${most} passes, the most allowed. End one to create another.`,
  back: 'All passes',
  openUser: 'Open user',
  search: 'Search by name or owner',
  clear: 'Clear',
  found: (count: number) => (count === 1 ? '1 pass' : `${count.toLocaleString('en-GB')} passes`),
  filtersLabel: 'Show',
  filters: { All: 'All passes', Users: 'Of users', Services: 'Of services' } satisfies Record<PassHolders, string>,
  columns: { name: 'Name', owner: 'Owner', scope: 'Opens', used: 'Last used', expires: 'Ends', end: 'End' },
  list: 'Passes',
  service: (name: string) => `Service ${name}`,
  empty: 'No passes.',
  emptySearch: (search: string) => `No pass or owner contains ‘${search}’.`,
  next: 'Next page',
  first: 'First page',
  endOf: (name: string, owner: string) => `End pass ${name} of ${owner}`,

  acts: {
    addPass: {
      button: 'Create pass',
      title: 'Create a pass for a service',
      text: [
        'Programs that have the pass can reach these applications, so limit it to what the service needs.',
        'Administrators are notified by email. This is recorded in the audit log.',
      ],
      service: { label: 'Service', caption: 'For example, ‘prometheus’' },
      serviceWrong: 'Enter lower-case letters, digits and dashes, such as ‘prometheus’.',
      running: 'Creating the pass',
    },
    shown: { title: 'Copy the pass' },
    endPass: {
      button: 'End pass',
      title: (name: string) => `End ${name}`,
      text: ['Programs that use it lose access immediately, on all servers.', 'This is recorded in the audit log.'],
      done: (name: string) => `The pass ${name} was ended.`,
    },
    endPasses: {
      button: 'End all passes',
      title: (owner: string) => `End all passes of ${owner}`,
      text: ['Programs that use them lose access immediately, on all servers.', 'This is recorded in the audit log.'],
      done: (owner: string) => `All passes of ${owner} were ended.`,
    },
    running: 'Working…',
  },
}
