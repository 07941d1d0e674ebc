-- The commands; what they do is loaded when one is first run.
if vim.g.loaded_loci then
  return
end
vim.g.loaded_loci = true

local command = vim.api.nvim_create_user_command

command('LociSearch', function(opts)
  require('loci').search(opts.args)
end, { nargs = '+', desc = 'Search memories by words and meaning' })

command('LociSave', function(opts)
  require('loci').save(opts.line1, opts.line2, opts.args)
end, { nargs = '*', range = true, desc = 'Save the lines of the range as a memory, with a sentence about them' })

command('LociRecall', function(opts)
  require('loci').recall(opts.args)
end, { nargs = '*', desc = 'What is remembered about a question, or about this file' })
