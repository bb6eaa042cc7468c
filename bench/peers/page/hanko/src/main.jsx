import { register } from '@teamhanko/hanko-elements'

register(location.origin)
document.getElementById('root').append(document.createElement('hanko-auth'))
