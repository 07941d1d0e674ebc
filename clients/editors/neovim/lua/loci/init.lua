-- What the three commands do: ask the daemon, show the answer. Nothing waits: an editor must not stop for a daemon that starts.
local client = require('loci.client')
local view = require('loci.view')

local M = {}

local function tell(text, level)
  vim.notify('loci: ' .. text, level or vim.log.levels.INFO)
end

-- The path of the buffer's file below the working folder; nil where it is no file of it.
local function path_here()
  local file = vim.api.nvim_buf_get_name(0)
  if file == '' or vim.bo.buftype ~= '' then
    return nil
  end
  local folder = vim.fn.getcwd()
  if file:sub(1, #folder + 1) ~= folder .. '/' then
    return nil
  end
  return file:sub(#folder + 2)
end

local function show(title, memories)
  if #memories == 0 then
    return tell('nothing was found')
  end
  view.show(title, memories, M.open)
end

-- Whether a memory names the path, or its text the file's name.
local function is_about(memory, path)
  local name = vim.fn.fnamemodify(path, ':t')
  for _, file in ipairs(memory.files or {}) do
    if file == path or file:sub(-#path - 1) == '/' .. path or path:sub(-#file - 1) == '/' .. file then
      return true
    end
  end
  return (memory.content or ''):find(name, 1, true) ~= nil
end

function M.search(query)
  client.call('memory_search', { query = query, limit = 20 }, function(problem, answer)
    if problem then
      return tell(problem, vim.log.levels.ERROR)
    end
    show('search ' .. query, answer.results)
  end)
end

function M.save(first, last, why)
  local text = table.concat(vim.api.nvim_buf_get_lines(0, first - 1, last, false), '\n')
  if text:match('^%s*$') then
    return tell('there is nothing in these lines', vim.log.levels.WARN)
  end
  local path = path_here()
  local lines = first == last and ('line ' .. first) or ('lines ' .. first .. '–' .. last)
  local input = {
    content = why == '' and text or (why .. '\n\n' .. text),
    provenance = 'human',
    on_duplicate = 'keep',
  }
  if path then
    input.files = { path }
    input.context = 'Selected in ' .. path .. ', ' .. lines .. '.'
  end
  if vim.bo.filetype ~= '' then
    input.tags = { vim.bo.filetype }
  end
  client.call('memory_save', input, function(problem, answer)
    if problem then
      return tell(problem, vim.log.levels.ERROR)
    end
    local outcome = answer.outcome == 'unchanged' and 'it was remembered already' or 'saved'
    tell(('%s as #%d'):format(outcome, answer.id))
  end)
end

function M.recall(prompt)
  if prompt ~= '' then
    return client.call('memory_recall', { prompt = prompt }, function(problem, answer)
      if problem then
        return tell(problem, vim.log.levels.ERROR)
      end
      if answer.text == '' then
        return tell('nothing that is remembered fits')
      end
      view.show_text('recall ' .. prompt, answer.text)
    end)
  end
  local path = path_here()
  if not path then
    return tell('this buffer is no file below the working folder; give a question instead', vim.log.levels.WARN)
  end
  local query = path .. ' ' .. vim.fn.fnamemodify(path, ':t')
  client.call('memory_search', { query = query, mode = 'keyword', limit = 50 }, function(problem, answer)
    if problem then
      return tell(problem, vim.log.levels.ERROR)
    end
    show('about ' .. path, vim.tbl_filter(function(memory)
      return is_about(memory, path)
    end, answer.results))
  end)
end

-- Shows one memory whole.
function M.open(id)
  client.call('memory_get', { id = id }, function(problem, memory)
    if problem then
      return tell(problem, vim.log.levels.ERROR)
    end
    view.show_text('memory ' .. id, '# ' .. memory.title .. '\n\n' .. memory.content)
  end)
end

return M
